"""Audiences beside the parametric one: written scripts, replayed logs, model-worded comments, plug-ins by name."""
