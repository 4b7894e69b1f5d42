"""Policies that try to be paid for nothing: what the heads must not fall for, played through the environment."""
