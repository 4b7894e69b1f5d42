"""Scenarios as regression tests: playing them, the verdict line by line, the timeline, the linter."""
