"""The named scenarios, scenarios from files, and a draw of one by seed."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from livesim.config import load_yaml, parse
from livesim.errors import ConfigError, ScenarioError
from livesim.scenarios.script import Scenario
from livesim.seeding import stream

FOLDER = Path(__file__).with_name("library")

SAMPLED = (("quiet_room", 0.35), ("mid_room", 0.35), ("flash_sale", 0.2), ("recovery", 0.1))
"""What ``sample`` draws from, with weights."""


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """The shipped rooms, sorted: open streams with drawn viewers, for training and play."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


@lru_cache(maxsize=1)
def families() -> Mapping[str, tuple[str, ...]]:
    """Family -> the shipped tests of it, both sorted: scenarios that expect something."""
    folders = sorted(path for path in FOLDER.iterdir() if path.is_dir())
    return {folder.name: tuple(sorted(file.stem for file in folder.glob("*.yaml"))) for folder in folders}


def tests() -> tuple[str, ...]:
    """Every shipped test, by family."""
    return tuple(name for members in families().values() for name in members)


def load(source: str | Path | Scenario) -> Scenario:
    """A scenario by name or file; a ``Scenario`` is handed back.

    Raises:
        ScenarioError: no such scenario, or the file is wrong; names the field and the nearest match.
    """
    if isinstance(source, Scenario):
        return source
    if isinstance(source, Path) or str(source).endswith((".yaml", ".yml")):
        scenario = _read(Path(source))
        scenario.beside(Path(source).parent)
        return scenario
    name = str(source)
    if name not in (*names(), *tests()):
        raise ScenarioError(_nothing_called(name))
    return _shipped(name)


def _nothing_called(name: str) -> str:
    """Why a name means nothing: too many are shipped to list them all."""
    near = difflib.get_close_matches(name, (*names(), *tests(), *families()), n=3)
    hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
    return (
        f"unknown scenario {name!r}; {hint}rooms: {', '.join(names())}; families of tests: {', '.join(families())} "
        "(livesim scenario list shows them); or give a .yaml file"
    )


def sample(seed: int) -> Scenario:
    """One of the shipped rooms, with its comment rate and its faults varied; depends on the seed alone."""
    rng = stream(seed, "scenario")
    weights = [weight for _, weight in SAMPLED]
    scenario = load(SAMPLED[int(rng.choice(len(SAMPLED), p=weights))][0])
    rate = scenario.viewers.comments_per_min * float(rng.uniform(0.7, 1.4))
    viewers = scenario.viewers.model_copy(update={"comments_per_min": round(rate, 2)})
    update: dict[str, object] = {"viewers": viewers}
    if scenario.faults == "none" and rng.random() < 0.5:
        update["faults"] = "light"
    return scenario.model_copy(update=update)


@lru_cache(maxsize=256)
def _shipped(name: str) -> Scenario:
    return _read(file_of(name))


def file_of(name: str) -> Path:
    """Where a shipped scenario is."""
    family = next((family for family, members in families().items() if name in members), "")
    return FOLDER / family / f"{name}.yaml"


def _read(path: Path) -> Scenario:
    try:
        return parse(Scenario, load_yaml(path), str(path))
    except ConfigError as error:
        raise ScenarioError(str(error)) from None
