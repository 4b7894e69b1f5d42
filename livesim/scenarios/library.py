"""The named scenarios, scenarios from files, and a draw of one by seed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from livesim.config import load_yaml, parse
from livesim.errors import ConfigError, ScenarioError, unknown
from livesim.scenarios.script import Scenario
from livesim.seeding import stream
from livesim.tools.faults import PRESETS

FOLDER = Path(__file__).with_name("library")

SAMPLED = (("quiet_room", 0.35), ("mid_room", 0.35), ("flash_sale", 0.2), ("recovery", 0.1))
"""What ``sample`` draws from, with weights."""


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """The shipped scenarios, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def load(source: str | Path | Scenario) -> Scenario:
    """A scenario by name or file; a ``Scenario`` is handed back.

    Raises:
        ScenarioError: no such scenario, or the file is wrong; names the field and the nearest match.
    """
    if isinstance(source, Scenario):
        return source
    if isinstance(source, Path) or str(source).endswith((".yaml", ".yml")):
        return _read(Path(source))
    if source not in names():
        raise ScenarioError(unknown("scenario", source, names()) + "; or give a .yaml file")
    return _shipped(source)


def sample(seed: int) -> Scenario:
    """One of the shipped rooms, with its comment rate and its faults varied; depends on the seed alone."""
    rng = stream(seed, "scenario")
    weights = [weight for _, weight in SAMPLED]
    scenario = load(SAMPLED[int(rng.choice(len(SAMPLED), p=weights))][0])
    rate = scenario.viewers.comments_per_min * float(rng.uniform(0.7, 1.4))
    viewers = scenario.viewers.model_copy(update={"comments_per_min": round(rate, 2)})
    update: dict[str, object] = {"viewers": viewers}
    if scenario.faults == "none" and "light" in PRESETS and rng.random() < 0.5:
        update["faults"] = "light"
    return scenario.model_copy(update=update)


@lru_cache(maxsize=64)
def _shipped(name: str) -> Scenario:
    return _read(FOLDER / f"{name}.yaml")


def _read(path: Path) -> Scenario:
    try:
        return parse(Scenario, load_yaml(path), str(path))
    except ConfigError as error:
        raise ScenarioError(str(error)) from None
