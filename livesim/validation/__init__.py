"""Does the simulator deserve trust: marginals, effects, monotone outcomes, error rate of the analysis, rankings."""
