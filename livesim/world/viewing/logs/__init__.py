"""Reads comment logs as people really export them, one file a format family."""
