"""Typed claims of an English reply."""

from rewards.claims.claim import Bound, Claim, ClaimKind
from rewards.claims.extract import MAX_CHARS, Reading, extract

__all__ = ["MAX_CHARS", "Bound", "Claim", "ClaimKind", "Reading", "extract"]
