"""Typed claims of an English reply."""

from rewards.claims.claim import Bound, Claim, ClaimKind
from rewards.claims.extract import Reading, extract

__all__ = ["Bound", "Claim", "ClaimKind", "Reading", "extract"]
