"""Policies that play the environment: teacher, model, script, noise and the floors every head must keep low."""
