"""The harness's own net: registered checks of turns, calls and replies."""

from livesim.harness.hooks.check import Attempt, Check, Stage
from livesim.harness.hooks.registry import CHECKS, first_finding, worded

__all__ = ["CHECKS", "Attempt", "Check", "Stage", "first_finding", "worded"]
