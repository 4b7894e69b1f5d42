"""Where general prompts come from: our own templates, or packages with a licence that covers their data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import yaml

from livesim.packages import Package, archive, names, read
from livesim.training.prompts import Prompt, everything, prompts

LEAST, MOST = 12, 300
"""Characters of a prompt out of a package: shorter ones are bare greetings, longer ones are pasted texts."""

CHATTERBOT = Package(
    "chatterbot-corpus",
    "1.3.3",
    "chatterbot_corpus-1.3.3-py2.py3-none-any.whl",
    "86de5300afb9a80826386339d3bec79c0a72eb0358abb8327e2ecef5ae0ce154",
)
CHITCHAT = Package(
    "chitchat-dataset",
    "0.9.0",
    "chitchat_dataset-0.9.0-py3-none-any.whl",
    "7bf89f36645e2d5ec87d53370c8e851b5a688479c7beb7079cb4c87fc5acea3e",
)


def chatterbot() -> tuple[str, ...]:
    """First lines of the English conversations (BSD; about half of them tech support)."""
    path = archive(CHATTERBOT)
    files = (name for name in names(path) if "/data/english/" in name and name.endswith(".yml"))
    return _fit(_openings(yaml.safe_load(read(path, name)) for name in sorted(files)))


def chitchat() -> tuple[str, ...]:
    """Questions that people asked each other in chats of a university lab (MIT)."""
    data = json.loads(read(archive(CHITCHAT), "chitchat_dataset/dataset.json"))
    said = (message["text"] for chat in data.values() for turn in chat["messages"] for message in turn)
    return _fit(text for text in said if text.rstrip().endswith("?"))


SOURCES: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "own": everything,
    "chatterbot": chatterbot,
    "chitchat": chitchat,
}
"""Name -> all its prompts in a fixed order; those of a package are fetched on the first call."""


def draw(count: int, seed: int, sources: Sequence[str]) -> list[Prompt]:
    """``count`` prompts, as many from each of the named sources.

    Raises:
        ConfigError: the package of a source cannot be had.
    """
    return prompts(count, seed, [SOURCES[name]() for name in sources])


def _openings(files: Iterable[object]) -> Iterator[str]:
    for file in files:
        conversations = file.get("conversations", ()) if isinstance(file, dict) else ()
        yield from (str(conversation[0]) for conversation in conversations if conversation)


def _fit(texts: Iterable[str]) -> tuple[str, ...]:
    """One line of plain text of a fitting length, each once."""
    tidy = (" ".join(text.split()) for text in texts)
    return tuple(dict.fromkeys(text for text in tidy if LEAST <= len(text) <= MOST and text.isascii()))
