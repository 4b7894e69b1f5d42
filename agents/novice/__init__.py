"""A stand-in for a weak model: reads the harness with little attention, so that edits of it help or harm."""

from agents.novice.policy import NoviceAgent

__all__ = ["NoviceAgent"]
