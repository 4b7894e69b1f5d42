"""The exception tree, one class per boundary.

::

    LiveSimError
    +-- ConfigError      a file, field or argument of a configuration
    +-- HarnessError     a harness folder or an edit of it
    +-- ScenarioError    a scenario file or its beats
    +-- ViewerError      a viewer simulator supplied by the user
    +-- ServingError     a queueing discipline supplied by the user
    +-- CompletionError  a model endpoint that did not answer (infrastructure, never a scored zero)
    +-- TrainingError    a stage of the trainer

A bad turn, a failed tool and a broken rule are data (``ToolResult``, ``Outcome``, ``Breach``), never exceptions.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class LiveSimError(Exception):
    """Root of all errors that livesim raises on purpose."""


class ConfigError(LiveSimError):
    """A configuration that cannot be used."""


class HarnessError(LiveSimError):
    """A harness folder or edit that cannot be used."""


class ScenarioError(LiveSimError):
    """A scenario that cannot be used."""


class ViewerError(LiveSimError):
    """A viewer simulator that raised, hung or returned rubbish."""


class ServingError(LiveSimError):
    """A queueing discipline that raised or returned rubbish."""


class CompletionError(LiveSimError):
    """A model endpoint that gave no answer."""


class TrainingError(LiveSimError):
    """A training stage that cannot go on."""


def unknown(what: str, value: object, allowed: Iterable[str]) -> str:
    """One sentence that names the value, the allowed ones and the nearest match.

    Args:
        what: the kind of thing, e.g. ``"field of tools.yaml"``.
        value: what was given.
        allowed: what would have been right.
    """
    names = sorted(allowed)
    near = difflib.get_close_matches(str(value), names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"unknown {what} {value!r}; allowed: {', '.join(names)}{hint}"
