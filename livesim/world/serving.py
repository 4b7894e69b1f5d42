"""Whom the host answers next, of all who wait: a queueing discipline over what everybody can see."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from livesim.errors import ServingError, unknown
from livesim.types import Intent
from livesim.world.viewing import intent_rules
from livesim.world.viewing.deadline import Worker


class Queued(NamedTuple):
    """A comment that waits, as everybody in the room sees it."""

    viewer: str
    text: str
    waited_s: float


Serving: TypeAlias = Callable[[Sequence[Queued]], int]
"""Of the waiting comments, oldest first and at least one, the index of the one that is answered next."""

BUYING = frozenset({Intent.PRICE, Intent.PROMOTION, Intent.SIZE, Intent.STOCK})
"""Questions of those who are about to buy. An assumption."""


def oldest(waiting: Sequence[Queued]) -> int:
    """First come, first served."""
    return 0


def newest(waiting: Sequence[Queued]) -> int:
    """Last come, first served: who has just written is the likeliest to be there still."""
    return len(waiting) - 1


def buyers(waiting: Sequence[Queued]) -> int:
    """Questions of buyers before others about goods, those before small talk; of equals the newest."""
    return max(range(len(waiting)), key=lambda index: (_worth(waiting[index].text), index))


def _worth(text: str) -> int:
    intents = {intent for intent, pattern in intent_rules.ITEM if pattern.search(text)}
    return 2 if intents & BUYING else 1 if intents else 0


DISCIPLINES: Mapping[str, Serving] = MappingProxyType({"oldest": oldest, "newest": newest, "buyers": buyers})
"""By name."""


def discipline(serve: str | Serving) -> Serving:
    """The discipline of a name, of ``"module:function"``, or the function itself.

    Raises:
        ServingError: no such name, module or function.
    """
    if callable(serve):
        return serve
    if serve in DISCIPLINES:
        return DISCIPLINES[serve]
    module, colon, name = str(serve).partition(":")
    if not (module and colon and name):
        raise ServingError(f"{unknown('serve', serve, DISCIPLINES)}; or 'module:function', or a function")
    try:
        found = getattr(importlib.import_module(module), name)
    except Exception as error:  # somebody else's import
        raise ServingError(f"serve {serve!r}: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise ServingError(f"serve {serve!r} is {type(found).__name__}, not a function of the waiting comments")
    return found  # type: ignore[no-any-return]


DEADLINE_S = 60.0
"""Wall seconds for one choice of a discipline that is not shipped; it may ask a model."""


def choose(serve: Serving, waiting: Sequence[Queued], worker: Worker) -> int:
    """The index that a discipline names.

    Args:
        serve: the discipline.
        waiting: oldest first.
        worker: runs a discipline that is not shipped.

    Raises:
        ServingError: it raised, hung, or named none of the waiting comments.
    """
    name = getattr(serve, "__name__", type(serve).__name__)
    shipped = serve in DISCIPLINES.values()
    try:
        index = operator.index(serve(waiting) if shipped else worker.call(partial(serve, waiting), DEADLINE_S))
    except Exception as error:  # whatever a function of the user's raises
        raise ServingError(
            f"serve {name!r} failed on {len(waiting)} comments: {type(error).__name__}: {error}"
        ) from error
    if not 0 <= index < len(waiting):
        raise ServingError(f"serve {name!r} chose comment {index} of {len(waiting)}; 0 is the oldest")
    return index
