"""Which claims the agent was entitled to make."""

from rewards.support.check import supported
from rewards.support.knowledge import Knowledge, known

__all__ = ["Knowledge", "known", "supported"]
