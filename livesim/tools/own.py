"""``own_toolbox``: a toolbox of the user's, by the name of its module, for the commands that show or play a harness."""

from __future__ import annotations

import importlib
import sys

from livesim.errors import ConfigError
from livesim.tools.toolbox import Toolbox


def own_toolbox(name: str) -> Toolbox:
    """The toolbox that ``module:object`` names; one with the shop's tools alone for ``""``.

    Modules are looked for where Python does, the working directory included.

    Raises:
        ConfigError: no such module or object, or one that is no toolbox.
    """
    if not name:
        return Toolbox()
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise ConfigError(f"toolbox {name!r}: write module:object")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a command's path begins with its own folder, not with where it is run
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"toolbox {name!r}: {error}") from error
    if not isinstance(found, Toolbox):
        raise ConfigError(f"toolbox {name!r} is {type(found).__name__}, not a Toolbox")
    return found
