"""Tools: their specification, the built-in shop tools, faults, and the registry."""
