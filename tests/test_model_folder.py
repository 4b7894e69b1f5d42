"""What tells model folders apart; the hashes of before, so that runs and evaluations of before go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from livesim.errors import ConfigError
from livesim.model_folder import fingerprint, identity


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    model = tmp_path / "stage" / "model"
    model.mkdir(parents=True)
    (model / "model.safetensors").write_bytes(bytes(range(256)) * 40)
    (model / "config.json").write_text("{}")
    (model / "tokenizer.json").write_text('{"a": 1}')
    (model / "chat_template.jinja").write_text("x")
    return model


def test_hashes_stay_what_they_were(folder: Path) -> None:
    assert fingerprint(folder) == "bb944e0325f2231e"
    assert identity(folder) == "f835c033f85b7edf"


def test_a_model_is_told_apart_by_its_weights(folder: Path) -> None:
    before = fingerprint(folder), identity(folder)
    (folder / "model.safetensors").write_bytes(bytes(range(1, 256)) * 40)
    assert fingerprint(folder) != before[0]
    assert identity(folder) != before[1]


@pytest.mark.parametrize(
    ("note", "made"), [('{"key": "abc"}', True), ('{"key": null}', False), ("[]", False), ("{", False)]
)
def test_to_training_a_model_is_the_stage_that_made_it(folder: Path, note: str, made: bool) -> None:
    (folder.parent / "stage.json").write_text(note)
    assert identity(folder) == ("abc" if made else "f835c033f85b7edf")
    assert fingerprint(folder) == "bb944e0325f2231e"


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no model folder"):
        fingerprint(tmp_path)
