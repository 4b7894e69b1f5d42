"""The teacher: sees the hidden half of a request, plays it right, and words it in many ways."""

from agents.oracle.policy import OracleAgent

__all__ = ["OracleAgent"]
