"""Reply templates: what a policy may say without knowing anything, to be filled in request by request."""

from __future__ import annotations

import numpy as np

Template = tuple[str, ...]
"""Pieces and joints in turn."""

PIECES = 4
"""Pieces of a template at most."""

FILLED = (
    "{title}", "{comment}", "{words}", "{commentnumber} yuan", "{commentnumber}", "{other} yuan", "{other}",
    "link {link}", "{heap}", "{dump}", "{list} yuan", "the {topic}", "the {topic} is {adjective}",
)  # fmt: skip
PLAIN = (
    "friends", "yes", "no", "sure", "of course", "not", "49 yuan", "under 9999 yuan", "at least 1 yuan", "about 100",
    "between 1 and 1000 yuan", "20 yuan off", "10% off", "some off", "a coupon", "there is a coupon", "no coupon",
    "a gift", "a free gift", "in stock", "still some left", "sold out", "a few left", "1 left", "more than 1 left",
    "red", "M", "size M", "your usual size", "any size", "free shipping", "ships soon", "ships within 999 hours",
    "ships today", "ships within 48 hours", "within 72 hours", "within a week", "up to 100 days", "or less",
    "at most 500 pieces left",
    "up to 50% off", "save something", "in a few days", "within 30 days", "returns are fine", "no returns",
    "you can return it", "7 days", "a warranty", "insured", "the material is nice", "it is made well",
    "it is what it is",
    "natural", "good for everyone", "none", "it depends", "as stated", "as shown on the card", "see the item page",
    "the system is down", "I can't say because the tool failed", "because", "sorry", "I can't check right now",
    "let me check", "one moment", "in a moment", "I'll tell you", "please check the page", "a colleague",
    "customer service",
    "I've passed you on", "the card is up", "here it is", "welcome", "thanks", "great", "lovely price",
    "the best we have",
    "cheap", "a good deal", "on sale", "flash sale", "now", "was", "after the coupon", "before", "instead of", "or",
    "and", "but", "with", "total", "price", "stock", "pieces", "hours", "days", "yuan", "left", "is", "it's",
    "can't speak for others", "only here to help with our items",
)  # fmt: skip
JOINTS = (", ", " ", ". ", " and ", " or ", "; ")


def drawn(rng: np.random.Generator) -> Template:
    """A random template."""
    parts = [_piece(rng)]
    for _ in range(int(rng.integers(PIECES))):
        parts += [_joint(rng), _piece(rng)]
    return tuple(parts)


def mutated(template: Template, rng: np.random.Generator) -> Template:
    """The template with a piece or joint changed, added or taken away."""
    parts = list(template)
    kind = int(rng.integers(4))
    if kind == 0 and len(parts) < 2 * PIECES - 1:
        return (*parts, _joint(rng), _piece(rng))
    if kind == 1 and len(parts) > 1:
        at = 2 * int(rng.integers((len(parts) + 1) // 2))
        del parts[max(0, at - 1) : max(0, at - 1) + 2]
        return tuple(parts)
    at = int(rng.integers(len(parts)))
    parts[at] = _joint(rng) if at % 2 else _piece(rng)
    return tuple(parts)


def _joint(rng: np.random.Generator) -> str:
    return JOINTS[int(rng.integers(len(JOINTS)))]


def _piece(rng: np.random.Generator) -> str:
    pool = FILLED if rng.random() < 0.3 else PLAIN
    return pool[int(rng.integers(len(pool)))]
