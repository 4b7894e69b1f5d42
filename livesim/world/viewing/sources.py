"""What a name of viewers means: shipped ones, presets, files, plug-ins of other packages, ``module:Class``."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TypeVar, cast

from livesim.config import load_yaml, parse
from livesim.errors import ConfigError, LiveSimError, ViewerError, unknown
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import ViewerConfig, ViewerSimulator
from livesim.world.viewing.deadline import DeadlineError, Worker
from livesim.world.viewing.presets import ParametricFile, preset, presets

T = TypeVar("T")

GROUP = "livesim.viewers"
"""Entry-point group in which another package offers its viewers: name -> class or factory."""

MAKE_DEADLINE_S = 60.0
"""Wall seconds that an import and a factory may take; it may load a model."""

BUILT_IN: Mapping[str, str] = {
    "parametric": "by the numbers of the scenario",
    "script": "script:FILE, a YAML list of who says what when",
    "replay": "replay:FILE, a comment log in any of the known formats",
    "llm": "llm:URL#MODEL, parametric viewers whose comments an OpenAI-compatible endpoint words",
}
"""Shipped kinds of viewers."""

FILED = ("script", "replay")
"""Those whose argument is a file."""

_CLASSES = frozenset(
    (
        "livesim.world.parametric:ParametricViewers",
        "livesim.world.viewing.script:ScriptViewers",
        "livesim.world.viewing.replay:ReplayViewers",
        "livesim.world.viewing.worded:WordedViewers",
    )
)
"""The shipped classes by name: most runs need only the first, and the others cost import time."""


def shipped(viewers: object) -> bool:
    """Is it one of the shipped viewers? They run without a deadline: a thread would cost time on every window."""
    return f"{type(viewers).__module__}:{type(viewers).__qualname__}" in _CLASSES


def find(name: str, config: ViewerConfig, worker: Worker) -> object:
    """What ``name`` means: a viewer simulator, or whatever a plug-in or module made of it.

    Args:
        name: ``parametric``, a preset, a ``.yaml`` file, ``script:FILE``, ``replay:FILE``, ``llm:URL#MODEL``, a
            plug-in (``demo`` or ``demo:argument``), or ``module:Class``.
        config: the scenario's own numbers, for ``parametric``.
        worker: somebody else's code is imported and called in its thread.

    Raises:
        ViewerError: no such name, or what it means cannot be made; names it and the nearest match.
        ConfigError: a file is wrong.
    """
    if name == "parametric":
        return ParametricViewers(config)
    if name in presets():
        return ParametricViewers(preset(name))
    head, colon, argument = name.partition(":")
    if head in BUILT_IN:
        return _built_in(head, argument, config)
    if name.endswith((".yaml", ".yml")):
        return from_file(Path(name), config)
    plugs = plugins()
    if head in plugs:
        return _plugged(plugs[head], argument if colon else None, worker)
    if not colon:
        raise ViewerError(unknown("viewers", name, names()) + '; or give "module:Class", or a .yaml file')
    return _imported(head, argument, worker)


def from_file(path: Path, config: ViewerConfig) -> ViewerSimulator:
    """The viewers that a YAML file describes: a bare list is a script, otherwise ``kind`` says what it is.

    Raises:
        ConfigError: the file is missing or wrong; names the field.
        ViewerError: the log it names cannot be read.
    """
    data = load_yaml(path)
    if isinstance(data, list):
        data = {"kind": "script", "lines": data}
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(data, dict) or kind not in BUILT_IN:
        raise ConfigError(f"{path}: " + unknown("kind of viewers", kind, BUILT_IN))
    return made(str(kind), data, config, path.parent, str(path))


def made(
    kind: str, settings: Mapping[str, object], config: ViewerConfig, folder: Path, where: str = "viewers"
) -> ViewerSimulator:
    """Viewers of a shipped kind from their settings.

    Args:
        kind: a name of ``BUILT_IN``.
        settings: the fields of that kind.
        config: numbers of the parametric viewers whose comments a model words.
        folder: where relative files start.
        where: named in errors.

    Raises:
        ConfigError: a field is wrong; names it and the nearest.
        ViewerError: the log it names cannot be read.
    """
    if kind == "parametric":
        return ParametricViewers(parse(ParametricFile, settings, where).numbers)
    if kind == "script":
        from livesim.world.viewing.script import Script, ScriptViewers

        return ScriptViewers(parse(Script, settings, where))
    if kind == "replay":
        from livesim.world.viewing.replay import ReplayConfig, ReplayViewers

        return ReplayViewers(parse(ReplayConfig, settings, where), folder)
    from livesim.world.viewing.worded import WordedConfig, WordedViewers

    worded = parse(WordedConfig, settings, where)
    if worded.cache is not None:
        worded = worded.model_copy(update={"cache": str(folder / worded.cache)})
    return WordedViewers(worded, config)


def beside(name: str, folder: Path) -> str:
    """The same name of viewers; a relative file in it (``replay:FILE``, a ``.yaml`` file) starts at ``folder``."""
    head, colon, argument = name.partition(":")
    if head in FILED and argument:
        return f"{head}{colon}{folder / argument}"
    return str(folder / name) if not colon and name.endswith((".yaml", ".yml")) else name


def check(name: str, settings: Mapping[str, object]) -> None:
    """Whether viewers of this kind or name could be made, without making them.

    Raises:
        ConfigError: a field of a shipped kind is wrong, or settings stand beside a name that takes none.
        ViewerError: no such kind and no such name; names the nearest.
    """
    if name == "replay":
        from livesim.world.viewing.replay import ReplayConfig

        parse(ReplayConfig, settings, "viewers of kind replay")
    elif name == "llm":
        from livesim.world.viewing.worded import WordedConfig

        parse(WordedConfig, settings, "viewers of kind llm")
    elif ":" not in name and not name.endswith((".yaml", ".yml")) and name not in plugins():
        raise ViewerError(unknown("kind of viewers", name, names()) + '; or "module:Class", or a .yaml file')
    elif settings:
        hint = "" if ":" in name else f"; write '{name}:ARGUMENT' as the kind"
        raise ConfigError(f"viewers of kind {name!r} take no fields beside it, got {', '.join(settings)}{hint}")


def names() -> tuple[str, ...]:
    """Every name that needs no argument or takes one, sorted: shipped kinds, presets, plug-ins."""
    return tuple(sorted({*BUILT_IN, *presets(), *plugins()}))


def listing() -> dict[str, str]:
    """Name -> one clause, for people. A plug-in that cannot be loaded is left out with a warning that names it."""
    found = dict(BUILT_IN) | dict.fromkeys(presets(), "parametric, as a preset")
    for name, point in plugins().items():
        try:
            what = f"viewers {_named(point)} cannot be loaded"
            offered = made_by(partial(_loaded, point.load, what), what, Worker(f"viewers {name}"))
        except ViewerError as error:  # the others still count
            warnings.warn(str(error), stacklevel=2)
            continue
        found[name] = (getattr(offered, "__doc__", None) or _named(point)).strip().split("\n")[0]
    return found


def plugins() -> dict[str, EntryPoint]:
    """Plug-ins of installed packages by name; shipped names and presets can't be taken, of equal names none counts."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        if point.name in BUILT_IN or point.name in presets():
            warnings.warn(f"viewers {_named(point)} are hidden: the name is livesim's own", stacklevel=2)
        elif point.name in found and found[point.name].value != point.value:
            raise ViewerError(
                f"two packages offer viewers {point.name!r}: {_named(found[point.name])}, {_named(point)}"
            )
        else:
            found[point.name] = point
    return found


def _built_in(kind: str, argument: str, config: ViewerConfig) -> ViewerSimulator:
    if kind == "parametric":
        raise ViewerError(f"viewers 'parametric' take no argument, got {argument!r}; name a preset or a .yaml file")
    if not argument:
        raise ViewerError(f"viewers {kind!r} need an argument: {BUILT_IN[kind]}")
    if kind == "script":
        from livesim.world.viewing.script import ScriptViewers

        return ScriptViewers(argument)
    if kind == "replay":
        return replay(Path(argument))
    from livesim.world.viewing.worded import WordedConfig, WordedViewers

    return WordedViewers(WordedConfig.at(argument), config)


def replay(path: Path) -> ViewerSimulator:
    """The replay of a log. Raises ViewerError naming file and line when it cannot be read."""
    from livesim.world.viewing.replay import ReplayViewers

    return ReplayViewers(path)


def made_by(factory: Callable[[], object], what: str, worker: Worker) -> object:
    """What a factory makes in the worker's thread, within ``MAKE_DEADLINE_S``. Raises ViewerError naming ``what``."""
    try:
        return worker.call(factory, MAKE_DEADLINE_S)
    except LiveSimError:
        raise  # says what is wrong already, e.g. a log that cannot be read
    except DeadlineError as error:
        raise ViewerError(f"{what}: {error}") from None
    except Exception as error:  # the boundary to somebody else's code
        raise ViewerError(f"{what}: {_said(error)}") from error


def _loaded(load: Callable[[], T], what: str) -> T:
    """What an import offers. Raises ViewerError naming ``what``, whatever the import raises."""
    try:
        return load()
    except Exception as error:  # somebody else's import
        raise ViewerError(f"{what}: {_said(error)}") from error


def _plugged(point: EntryPoint, argument: str | None, worker: Worker) -> object:
    what = f"viewers {_named(point)}"

    def make() -> object:
        factory = _loaded(point.load, what)
        return factory() if argument is None else factory(argument)

    return made_by(make, what, worker)


def _imported(module: str, attribute: str, worker: Worker) -> object:
    what = f"viewers '{module}:{attribute}'"

    def load() -> Callable[[], object]:
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name not in (module.split(".")[0], module):
                raise
            raise ModuleNotFoundError(f"{error}; {unknown('viewers', module, names())}") from error
        return cast(Callable[[], object], getattr(found, attribute))

    return made_by(lambda: _loaded(load, what)(), what, worker)


@lru_cache(maxsize=64)
def _named(point: EntryPoint) -> str:
    package = point.dist.name if point.dist is not None else "an unknown package"
    return f"{point.name!r} of {package} ({point.value})"


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
