"""Prompts for on-policy distillation: everyday instructions from our own templates, or what other sources give."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from livesim.seeding import stream

SYSTEMS = (
    "You are a helpful assistant.",
    "You are a careful and friendly assistant. Keep answers short.",
    "Answer the user's question.",
    "You help people with everyday tasks.",
)

BARE = 0.5
"""Share of the prompts without a system text: most general prompts that a model meets have none."""

_THINGS = (
    "a rainy weekend", "learning to swim", "a neighbour's barking dog", "moving to a new city", "growing tomatoes",
    "a school play", "a long train ride", "cooking for ten guests", "the night sky", "a lost umbrella",
    "repairing an old bicycle", "a first job interview", "a walk by the sea", "saving water at home", "a chess club",
    "a birthday picnic", "sleeping better", "a crowded bus", "winter gardening", "a shared kitchen",
)  # fmt: skip

_TASKS = (
    "Write a short note about {}.",
    "Give me three pieces of advice on {}.",
    "Write two opening lines for a story about {}.",
    "What questions should I think about before {}?",
    "Explain to a child what is interesting about {}.",
    "Write a polite message to a friend that mentions {}.",
    "List five words that come to mind with {}.",
    "Describe {} in one calm paragraph.",
    "Make a tiny plan with a first, a second and a last step for {}.",
    "Invent a title for a newspaper column on {}.",
)

_SENTENCES = (
    "The meeting was moved from Tuesday to Thursday because the room is being painted.",
    "She has collected stamps since she was nine, and her favourite shows a lighthouse.",
    "Our bakery opens at six, but the rye bread is only ready at half past seven.",
    "Although the map was old, it led them straight to the waterfall.",
    "Please water the plants on the balcony twice while we are away.",
    "The museum lends out headphones for free, yet most visitors never ask for them.",
    "He forgot his keys, climbed through the window and woke up the whole family.",
    "Because the bridge is closed, the school bus needs twenty minutes longer.",
    "The choir practises every Monday, and newcomers are welcome without any test.",
    "Two of the five lamps in the hallway flicker when the heating starts.",
)

_EDITS = (
    "Shorten this sentence: {}",
    "Say this in a more formal way: {}",
    "Turn this into a question: {}",
    "What is the main point here? {}",
    "Rewrite this for a six-year-old: {}",
    "Name the people and things mentioned here: {}",
    "Continue this with one more sentence: {}",
    "Translate this into simple English: {}",
)

_PAIRS = (
    ("tea", "coffee"), ("cats", "dogs"), ("trains", "buses"), ("paper books", "audio books"), ("cities", "villages"),
    ("summer", "winter"), ("running", "cycling"), ("letters", "phone calls"), ("rice", "potatoes"), ("oil", "butter"),
    ("wood", "steel"), ("rivers", "lakes"), ("apples", "pears"), ("morning work", "evening work"), ("maps", "signs"),
)  # fmt: skip

_COMPARES = (
    "What is the difference between {} and {}?",
    "Give one reason to prefer {} and one to prefer {}.",
    "Compare {} with {} in two sentences.",
    "Which would you pick for a long day, {} or {}, and why?",
)

_NUMBERS = (
    "I have {a} coins and give away {b}. How many are left?",
    "A shelf holds {a} books and another one {b}. How many books are there?",
    "What is {a} plus {b}? Say how you worked it out.",
    "{a} people share {b} slices each. How many slices do they eat?",
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One general prompt: what the user asks, and the system text; empty: the chat template's own."""

    system: str
    user: str

    @property
    def messages(self) -> list[dict[str, str]]:
        """In OpenAI form."""
        system = [{"role": "system", "content": self.system}] if self.system else []
        return [*system, {"role": "user", "content": self.user}]


def everything() -> tuple[str, ...]:
    """All instructions there are, in a fixed order, each once."""
    found = [task.format(thing) for task, thing in itertools.product(_TASKS, _THINGS)]
    found += [edit.format(sentence) for edit, sentence in itertools.product(_EDITS, _SENTENCES)]
    found += [text.format(*pair) for text, pair in itertools.product(_COMPARES, _PAIRS)]
    found += [text.format(a=a, b=b) for text, a, b in itertools.product(_NUMBERS, (4, 7, 12, 19), (2, 3, 5, 6))]
    return tuple(dict.fromkeys(found))


def prompts(count: int, seed: int, sources: Sequence[Sequence[str]] = ()) -> list[Prompt]:
    """``count`` prompts in an order drawn from ``seed``; repeats only when there are no more.

    Args:
        count: of prompts.
        seed: of the draws.
        sources: instructions to draw from, in turn, so that each source gives as many; default: our own.
    """
    rng = stream(seed, "opd", "prompts")
    shares = [_drawn(users, -(-count // max(1, len(sources))), rng) for users in sources or (everything(),)]
    mixed = [user for users in zip(*shares, strict=True) for user in users]
    systems = ["" if rng.random() < BARE else SYSTEMS[int(rng.integers(len(SYSTEMS)))] for _ in range(count)]
    return [Prompt(system, user) for system, user in zip(systems, mixed[:count], strict=True)]


def _drawn(users: Sequence[str], count: int, rng: np.random.Generator) -> list[str]:
    order = [int(i) for _ in range(-(-count // len(users))) for i in rng.permutation(len(users))]
    return [users[i] for i in order[:count]]
