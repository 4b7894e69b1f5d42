"""``llm`` viewers: parametric ones whose comments an OpenAI-compatible endpoint words; choices stay parametric."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from pydantic import Field, field_validator

from livesim.config import StrictModel
from livesim.errors import ViewerError
from livesim.seeding import derive
from livesim.types import Intent
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import Heard, ItemInfo, RoomInfo, RoomMoment, ViewerAct, ViewerComment, ViewerConfig
from livesim.world.viewing.endpoint import Endpoint, SilentError
from livesim.world.viewing.presets import preset

Ask: TypeAlias = Callable[[str, str, int], str]
"""(system text, comment to reword, seed) -> one completion."""

SYSTEM = (
    "You play a viewer who types into the chat of a live shopping stream. Say the comment you are given in your own "
    "words, as people type: short, casual, one line. Ask for exactly the same thing. Keep every number and every name "
    "of a product, colour or size as it is, and name nothing else. Answer with the comment alone."
)

AS_THEY_ARE = frozenset({Intent.PARTICIPATION, Intent.GREETING})
"""Comments that are the same strings in real rooms; nobody words them anew."""

MOST_SILENT = 3
"""After so many comments in a row that got no answer the endpoint is taken for dead."""

MAX_WORDED = 200
"""Characters; a longer line is no chat."""


class WordedConfig(StrictModel):
    """Where the words come from.

    Attributes:
        base_url: of an OpenAI-compatible endpoint, e.g. ``http://127.0.0.1:8000/v1``.
        model: its name there; ``""``: the first that the endpoint lists.
        api_key_env: environment variable that holds the key; an unset one means no key.
        style: added to the instruction, e.g. ``"You write like a teenager."``
        temperature, max_tokens: of the sampling.
        deadline_s: wall seconds for one answer of the endpoint.
        tries: how often a comment is asked for, when its meaning is lost.
        cache: file in which answers are kept from run to run; a relative path starts at the configuration file, if
            there is one. None: only within the stream.
        viewers: numbers of the parametric viewers underneath: a preset's name, or the fields; None: the scenario's.
    """

    kind: Literal["llm"] = "llm"
    base_url: str = Field(min_length=1)
    model: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    style: str = ""
    temperature: float = Field(default=0.9, ge=0, le=2)
    max_tokens: int = Field(default=60, ge=1, le=1000)
    deadline_s: float = Field(default=20.0, gt=0)
    tries: int = Field(default=2, ge=1, le=10)
    cache: str | None = None
    viewers: ViewerConfig | str | None = None

    @field_validator("base_url")
    @classmethod
    def _url(cls, url: str) -> str:
        if not url.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        return url

    @classmethod
    def at(cls, argument: str) -> WordedConfig:
        """From ``URL`` or ``URL#MODEL``. Raises ViewerError for anything else."""
        url, _, model = argument.partition("#")
        if not url.startswith(("http://", "https://")):
            raise ViewerError(f"viewers 'llm:{argument}': {url!r} is no URL of an endpoint; say llm:http://...#MODEL")
        return cls(base_url=url, model=model)


class WordedViewers:
    """Parametric viewers in the words of a language model.

    Who comes, what is asked, when, and what follows from an answer is the parametric viewers' choice; the endpoint
    only rewords. What it returns must keep the meaning by a plain test (the same numbers, the item's title, the
    option, no other item); after ``tries`` lines that lose it, or where the endpoint gives no answer in time, the
    parametric words stand, and ``counts`` says how often. After ``MOST_SILENT`` comments in a row without an answer
    the stream ends with a ViewerError.

    Not deterministic unless the endpoint is, or a ``cache`` holds the answers.

    Args:
        config: where the words come from.
        numbers: of the scenario; used when the config has none.
        ask: instead of an endpoint, for tests.
    """

    def __init__(self, config: WordedConfig, numbers: ViewerConfig | None = None, ask: Ask | None = None) -> None:
        self.config = config
        chosen = preset(config.viewers) if isinstance(config.viewers, str) else config.viewers
        self._inner = ParametricViewers(chosen or numbers)
        self._ask: Ask = (
            ask
            or Endpoint(
                base_url=config.base_url,
                model=config.model,
                api_key_env=config.api_key_env,
                temperature=config.temperature,
                max_tokens=config.max_tokens,
                deadline_s=config.deadline_s,
                cache=config.cache,
            ).ask
        )
        self.counts: Counter[str] = Counter()

    def reset(self, seed: int, room: RoomInfo) -> None:
        """Start a new stream."""
        self._inner.reset(seed, room)
        self._seed = seed
        self._items = {item.link: item for item in room.items}
        self._said: dict[tuple[str, str], str] = {}
        self._silent = 0

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        """What the parametric viewers do, comments reworded. Raises ViewerError when the endpoint fails."""
        return [self._reworded(act) for act in self._inner.window(room, dt_s)]

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        """Likewise for follow-ups."""
        return [self._reworded(act) for act in self._inner.react(heard)]

    def _reworded(self, act: ViewerAct) -> ViewerAct:
        if not isinstance(act, ViewerComment) or act.intent in AS_THEY_ARE:
            return act
        key = (act.viewer, act.text)
        if key not in self._said:  # a duplicate stays a duplicate
            self._said[key] = self._words(act)
        return ViewerComment(act.viewer, self._said[key], act.intent, act.link, act.slots, act.at_s, act.more)

    def _words(self, act: ViewerComment) -> str:
        system = f"{SYSTEM} {self.config.style}".strip()
        for attempt in range(self.config.tries):
            seed = derive(self._seed, "viewers", "words", act.viewer, act.text, attempt) % 2**31
            try:
                line = tidy(self._ask(system, act.text, seed))
            except SilentError:
                self._silent += 1
                if self._silent == MOST_SILENT:
                    raise
                self.counts["no answer"] += 1
                return act.text
            self._silent = 0
            if keeps_meaning(act.text, line, self._items):
                self.counts["reworded"] += 1
                return line
        self.counts["left as it was"] += 1
        return act.text


def tidy(answer: str) -> str:
    """The first line of an answer that says something, without quotes, name tags and reasoning before it."""
    answer = re.sub(r"(?s)<think>.*?(?:</think>|$)", "", answer)
    line = next((line.strip() for line in answer.splitlines() if line.strip()), "")
    line = re.sub(r"^(?:viewer|comment|me)\s*:\s*", "", line, flags=re.I)
    return line.strip("\"'\u201c\u201d ").strip()


def keeps_meaning(before: str, after: str, items: dict[int, ItemInfo]) -> bool:
    """Does a reworded comment still point at the same things?

    The same numbers as digits, each title that was named and no other, the same options and topics. It is a plain
    test: it cannot see a question turned into praise.
    """
    if not after or len(after) > MAX_WORDED or "<" in after:
        return False
    low_before, low_after = before.lower(), after.lower()
    if Counter(re.findall(r"\d+", low_before)) != Counter(re.findall(r"\d+", low_after)):
        return False
    named = {item.title.lower() for item in items.values()}
    details = {detail.lower() for item in items.values() for option in item.options for detail in option.split("/")}
    details |= {topic.replace("_", " ").lower() for item in items.values() for topic in item.topics}
    numerals = {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
    if any((title in low_before) != (title in low_after) for title in named):
        return False
    for title in named:
        low_before, low_after = low_before.replace(title, " "), low_after.replace(title, " ")
    words_before, words_after = (set(re.findall(r"[\w-]+", text)) for text in (low_before, low_after))
    spoken = {f"{kind} {word}" for kind in ("link", "item", "number") for word in numerals}
    if any(phrase in low_before and phrase not in low_after for phrase in spoken):
        return False
    return all(set(detail.split()) <= words_after for detail in details if set(detail.split()) <= words_before)
