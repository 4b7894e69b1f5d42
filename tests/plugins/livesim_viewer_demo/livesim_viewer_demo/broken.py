"""A plug-in that cannot be loaded: its import fails."""

raise RuntimeError("this plug-in needs a licence")
