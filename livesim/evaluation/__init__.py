"""How well a host serves, with intervals: suites, metrics, runs, tables and the report."""
