"""Evolves a harness without touching the model: diagnose, propose, confirm, edit, evaluate, check, publish."""
