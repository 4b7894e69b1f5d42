"""The tool-definition dimension: other names, parameters, descriptions and list form, distractors, another order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import Pool, chance, pick, shuffled
from livesim.harness.augment.names import Namer, random_string, split_of
from livesim.harness.augment.paraphrase import cased, framed, reworded
from livesim.harness.augment.pools_names import PARAM_NAMES, THINGS, TOOL_ENDINGS, TOOL_TOPICS, TOOL_VERBS
from livesim.harness.augment.pools_prompt import TOOL_FORMS
from livesim.harness.augment.pools_tools import (
    DISTRACTORS_HELDOUT,
    DISTRACTORS_TRAIN,
    PARAM_NOTES,
    PLAIN,
    TOOL_FRAMES,
    TOOL_PHRASES,
    UNFRAMED,
)
from livesim.harness.state import HarnessState, ListForm, ParamView, ToolView
from livesim.tools.builtin import LOAD_SKILL

MAX_DISTRACTORS = 3
"""At most so many distractor tools are added."""

UNTOLD = 0.1
"""Share of the variants whose parameters have no description, times the strength; names and types still tell them."""


def vary_tool_definitions(state: HarnessState, rng: np.random.Generator, strength: float, split: Split) -> HarnessState:
    """Rename and redescribe the tools and their parameters, mask descriptions, add distractors, shuffle.

    Args:
        state: untouched; canonical names stay, so that calls resolve as before.
        rng: the same generator state gives the same result.
        strength: chance that a given surface is replaced, and that distractors and shuffling happen.
        split: whose surfaces are used.
    """
    taken = {name for view in state.tools for name in (view.canonical, view.name)} | {s.name for s in state.skills}
    namer = Namer(TOOL_VERBS, TOOL_ENDINGS, split, rng, taken)
    case = pick(("lower", "lower", "lower", "upper"), rng)
    used: set[str] = set()
    params = _Params(split, rng, strength)
    views = [_view(view, state.tools, namer, params, split, rng, strength, case, used) for view in state.tools]
    views += _distractors(namer, split, rng, strength, case)
    order = shuffled(views, rng) if chance(strength, rng) else tuple(views)
    prompt = state.prompt
    if chance(0.15 * strength, rng):
        prompt = replace(prompt, tool_form=ListForm(pick(TOOL_FORMS.of(split), rng)))
    if chance(UNTOLD * strength, rng):
        order = tuple(replace(v, params=tuple(replace(p, description="") for p in v.params)) for v in order)
    return replace(state, tools=order, prompt=prompt)


def _view(
    view: ToolView,
    tools: tuple[ToolView, ...],
    namer: Namer,
    params: _Params,
    split: Split,
    rng: np.random.Generator,
    strength: float,
    case: str,
    used: set[str],
) -> ToolView:
    """One tool under other surfaces."""
    name, description = view.name, view.description
    if chance(strength, rng):
        # load_skill keeps words of its own: with a misleading one nothing at all would be left to hold on to.
        other = None if view.canonical == LOAD_SKILL else TOOL_TOPICS.get(pick(tools, rng).canonical)
        name = namer.fresh(view.name, TOOL_TOPICS.get(view.canonical, THINGS), other)
    if chance(strength, rng):
        for _ in range(8):
            description = cased(_description(view, split, rng), case)
            if description.lower() not in used:
                break
    used.add(description.lower())
    return params.vary(replace(view, name=name, description=description))


def _description(view: ToolView, split: Split, rng: np.random.Generator) -> str:
    phrases = TOOL_PHRASES.get(view.canonical)
    phrase = phrases.draw(split, rng) if phrases is not None else reworded(view.description, split, rng)
    frames = PLAIN if view.canonical in UNFRAMED or phrases is None else TOOL_FRAMES
    return framed(phrase, frames, split, rng, plain_share=0.5)


class _Params:
    """Draws parameter names: now and then the same new name for a parameter wherever it occurs."""

    def __init__(self, split: Split, rng: np.random.Generator, strength: float) -> None:
        self._split, self._rng, self._strength = split, rng, strength
        self._shared: dict[str, str] | None = {} if chance(0.5, rng) else None

    def vary(self, view: ToolView) -> ToolView:
        """The view with other parameter names, notes and order."""
        new: list[ParamView] = []
        for param, kind in zip(view.params, view.kinds, strict=True):
            # A name without meaning is fair only where the type alone tells the parameters apart.
            opaque = view.kinds.count(kind) == 1
            name = self._name(param, opaque, {p.name for p in new}) if chance(self._strength, self._rng) else param.name
            note = param.description
            if param.canonical in PARAM_NOTES and chance(self._strength, self._rng):
                note = PARAM_NOTES[param.canonical].draw(self._split, self._rng)
            new.append(ParamView(param.canonical, name, note))
        if len({param.name for param in new}) < len(new):  # an unchanged name met a new one
            new = [replace(param, name=old.name) for param, old in zip(new, view.params, strict=True)]
        renamed = {old.name: param.name for old, param in zip(view.params, new, strict=True)}
        order = [int(i) for i in self._rng.permutation(len(new))]
        if not chance(self._strength, self._rng):
            order = list(range(len(new)))
        shown = [new[i] for i in order]
        required = {renamed[name] for name in view.required}
        return replace(
            view,
            params=tuple(shown),
            kinds=tuple(view.kinds[i] for i in order),
            required=tuple(param.name for param in shown if param.name in required),
        )

    def _name(self, param: ParamView, opaque: bool, beside: set[str]) -> str:
        shared = self._shared.get(param.canonical) if self._shared is not None else None
        if shared is not None and shared not in beside and (opaque or self._meaningful(param.canonical, shared)):
            return shared
        pool = PARAM_NAMES.get(param.canonical)
        for _ in range(50):
            if pool is None or (opaque and chance(0.25, self._rng)):
                name = self._random()
            else:
                name = pick(pool.of(self._split), self._rng)
            if name not in beside:
                break
        if self._shared is not None:
            self._shared[param.canonical] = name
        return name

    def _random(self) -> str:
        """A string of three to seven letters of this split."""
        while True:
            name = random_string(self._rng, 3, 7)
            if split_of(name) is self._split.half:
                return name

    def _meaningful(self, canonical: str, name: str) -> bool:
        pool = PARAM_NAMES.get(canonical)
        return pool is not None and name in pool.of(self._split)


def _distractors(namer: Namer, split: Split, rng: np.random.Generator, strength: float, case: str) -> list[ToolView]:
    """Tools that serve nothing here."""
    pool = DISTRACTORS_HELDOUT if split is Split.HELDOUT else DISTRACTORS_TRAIN
    count = int(rng.integers(MAX_DISTRACTORS + 1)) if chance(strength, rng) else 0
    views: list[ToolView] = []
    for distractor in shuffled(pool, rng)[:count]:
        views.append(
            ToolView(
                canonical="",
                name=namer.fresh(distractor.topics[0], Pool(distractor.topics, distractor.topics)),
                description=cased(Pool((distractor.description,), (distractor.description,)).draw(split, rng), case),
                params=tuple(ParamView(name, name, "") for name, _ in distractor.params),
                kinds=tuple(kind for _, kind in distractor.params),
                required=tuple(name for name, _ in distractor.params),
            )
        )
    return views
