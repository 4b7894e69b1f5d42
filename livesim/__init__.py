"""livesim: live-shopping streams hosted by an AI avatar, and the training of hosts whose harness keeps changing."""

from gymnasium.envs.registration import register

register(id="LiveStream-v0", entry_point="livesim.env:LiveStreamEnv")

__version__ = "0.1.0"
