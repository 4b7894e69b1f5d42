"""What a model folder is: by its weights (evaluations), or by how it was made (stages of training).

Two answers, since two things are asked. An evaluation must not take two models for one, so it reads every byte of the
weights. Training notes what each stage started from: a model made anew from the same inputs is the same to it, though
its weights differ in the last bits, and reading 100 GB before each stage would take longer than the question is worth.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from livesim.errors import ConfigError

_WHOLE_BYTES, _SAMPLES, _SAMPLE_BYTES = 2**26, 256, 4096
"""Larger files hold weights and are read here and there: training moves nearly all of them, and some have 100 GB."""


def fingerprint(folder: Path) -> str:
    """First 16 hex digits of the SHA-256 over the weights, config and tokenizer of a model folder, every byte read.

    Raises:
        ConfigError: the folder holds no weights.
    """
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        raise ConfigError(f"{folder} is no model folder: it has no *.safetensors file")
    digest = hashlib.sha256()
    for path in (*weights, folder / "config.json", folder / "tokenizer.json"):
        if path.is_file():
            digest.update(path.name.encode())
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]


def identity(folder: Path) -> str:
    """The key of the stage that made a model, or a hash of all its files by name, size and samples of their bytes.

    Raises:
        OSError: there is no such folder.
    """
    made = _key(folder.parent / "stage.json")
    if made:
        return made
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.name} {size}".encode())
        with path.open("rb") as file:
            for start in range(0, size, size // _SAMPLES if size > _WHOLE_BYTES else _SAMPLE_BYTES):
                file.seek(start)
                digest.update(file.read(_SAMPLE_BYTES))
    return digest.hexdigest()[:16]


def _key(note: Path) -> str:
    try:
        found = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(found.get("key") or "") if isinstance(found, dict) else ""
