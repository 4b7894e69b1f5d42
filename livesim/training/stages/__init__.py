"""The three stages: each a function from a model folder and a configuration to a model folder."""
