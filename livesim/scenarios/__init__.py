"""Scenarios: a stream as data, and the named ones that are shipped."""
