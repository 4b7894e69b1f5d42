"""Suites: named lists of cases. A case is one episode, given by values alone; its seeds never occur in training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from livesim.errors import ConfigError, unknown
from livesim.harness.augment.config import Dimension
from livesim.scenarios import library
from livesim.scenarios.script import Scenario
from livesim.seeding import derive
from livesim.world.viewers import Wording

ORIGINAL = "original"
ALL_FIVE = "all_five"
CHANGES = (*(str(d) for d in Dimension), ALL_FIVE)
TASKS_A_VARIANT = 4  # tasks that meet one and the same harness variant


@dataclass(frozen=True, slots=True)
class Setting:
    """What is chosen from outside for all cases of a suite.

    Attributes:
        harness: name or folder of the original harness.
        scenario: name or file of the scenario; None: one of the rooms of the library, drawn from each task's seed.
        episodes: cases in the suite, at least 1.
        seed: of the evaluation; another one gives other tasks and other variants.
        wording: how viewers phrase things: ``heldout`` (no training has heard it) or ``train`` (then the harness is the
            only thing that is new).
    """

    harness: str = "default"
    scenario: str | None = "qa"
    episodes: int = 64
    seed: int = 0
    wording: Wording = Wording.HELDOUT


@dataclass(frozen=True, slots=True)
class Case:
    """One episode: everything ``env.reset`` needs.

    Attributes:
        id: unique within the suite and stable.
        suite: name of the suite.
        task: number of the task: same number, same stream and viewers, in every suite.
        seed: for ``env.reset``.
        dimension: ``"original"``, one HSA dimension or ``"all_five"``.
        variant: label of the harness variant: cases with the same label meet the same harness.
        harness: the original harness.
        scenario: None: drawn from the seed.
        augment: name of an HSA preset, None for the original harness.
        harness_seed: of the variant.
        faults: name of a fault preset, None for the scenario's own.
        noise: share of the comments with a slip of the finger, 0 to 1; None: the scenario's own.
        wording: see ``Setting``.
    """

    id: str
    suite: str
    task: int
    seed: int
    dimension: str = ORIGINAL
    variant: str = ORIGINAL
    harness: str = "default"
    scenario: str | None = None
    augment: str | None = None
    harness_seed: int = 0
    faults: str | None = None
    noise: float | None = None
    wording: Wording = Wording.HELDOUT


@dataclass(frozen=True, slots=True)
class Suite:
    """A named list of cases: its short name for tables, what it asks, and how its cases follow from a setting."""

    name: str
    short: str
    question: str
    cases: Callable[[Setting], tuple[Case, ...]]


def wording_of(name: str) -> Wording:
    """The wording called so. Raises ConfigError for any other name."""
    if name not in tuple(Wording):
        raise ConfigError(unknown("wording", name, tuple(Wording)))
    return Wording(name)


def task_seed(seed: int, task: int) -> int:
    """The env seed of a task. The word ``"eval"`` in the path is what keeps it apart from every training seed."""
    return derive(seed, "eval", "task", task)


def variant_seed(seed: int, dimension: str, block: int) -> int:
    """The seed of one held-out harness variant."""
    return derive(seed, "eval", "variant", dimension, block)


def stream_of(case: Case) -> Scenario:
    """The scenario of a case, with its viewers' wording."""
    scenario = library.sample(case.seed) if case.scenario is None else library.load(case.scenario)
    update: dict[str, object] = {"wording": case.wording}
    if case.noise is not None:
        update["typo_share"] = case.noise
    return scenario.model_copy(update={"viewers": scenario.viewers.model_copy(update=update)})


def _live_stream_qa(setting: Setting) -> tuple[Case, ...]:
    return tuple(
        Case(
            id=f"{task:04d}",
            suite="live_stream_qa",
            task=task,
            seed=task_seed(setting.seed, task),
            harness=setting.harness,
            scenario=setting.scenario,
            wording=setting.wording,
        )
        for task in range(setting.episodes)
    )


def _harness_variant_qa(setting: Setting) -> tuple[Case, ...]:
    """Each task under the six kinds of change in turn, so that every kind has an equal share of the same tasks."""
    cases = []
    for number in range(setting.episodes):
        task, kind = divmod(number, len(CHANGES))
        dimension, block = CHANGES[kind], task // TASKS_A_VARIANT
        cases.append(
            Case(
                id=f"{task:04d}-{dimension}",
                suite="harness_variant_qa",
                task=task,
                seed=task_seed(setting.seed, task),
                dimension=dimension,
                variant=f"{dimension}#{block}",
                harness=setting.harness,
                scenario=setting.scenario,
                wording=setting.wording,
                augment="heldout" if dimension == ALL_FIVE else f"heldout:{dimension}",
                harness_seed=variant_seed(setting.seed, dimension, block),
            )
        )
    return tuple(cases)


def _tool_prompt_robustness(setting: Setting) -> tuple[Case, ...]:
    """The tasks again, in equal shares: tools under stress; mistyped comments; both."""
    kinds = (("faults", "stress", None), ("noise", None, 1.0), ("faults_and_noise", "stress", 1.0))
    cases = []
    for number in range(setting.episodes):
        task, kind = divmod(number, len(kinds))
        name, faults, noise = kinds[kind]
        cases.append(
            Case(
                id=f"{task:04d}-{name}",
                suite="tool_prompt_robustness",
                task=task,
                seed=task_seed(setting.seed, task),
                dimension=name,
                harness=setting.harness,
                scenario=setting.scenario,
                wording=setting.wording,
                faults=faults,
                noise=noise,
            )
        )
    return tuple(cases)


_SUITES: dict[str, Suite] = {}


def register(suite: Suite) -> None:
    """Add a suite. Raises ConfigError when its name is taken."""
    if suite.name in _SUITES:
        raise ConfigError(f"there is already a suite {suite.name!r}")
    _SUITES[suite.name] = suite


register(Suite("live_stream_qa", "T1", "questions of a live stream under the original harness", _live_stream_qa))
register(
    Suite(
        "harness_variant_qa",
        "T2",
        "the same tasks under held-out variants of the harness: each single dimension, and all five at once",
        _harness_variant_qa,
    )
)
register(
    Suite(
        "tool_prompt_robustness",
        "T3",
        "the same tasks with tools under stress and mistyped comments, original harness",
        _tool_prompt_robustness,
    )
)


def suites() -> Mapping[str, Suite]:
    """Every suite by name."""
    return dict(_SUITES)


def chosen(names: str) -> tuple[Suite, ...]:
    """The suites of a comma-separated list, in its order, each once.

    Raises:
        ConfigError: an unknown name (with the nearest), or no name at all.
    """
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not wanted:
        raise ConfigError(f"no suite named; suites: {', '.join(_SUITES)}, ifeval")
    for name in wanted:
        if name == "ifeval":  # no stream, no episodes, and far longer turns
            raise ConfigError("ifeval is run by itself: livesim eval --suite ifeval")
        if name not in _SUITES:
            raise ConfigError(unknown("suite", name, (*_SUITES, "ifeval")))
    return tuple(_SUITES[name] for name in wanted)
