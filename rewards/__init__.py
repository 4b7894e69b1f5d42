"""The judge of a finished request: four heads and a reasoning-length term over recorded signals."""
