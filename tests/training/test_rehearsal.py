"""Rehearsal: the start model's own answers to general prompts, as rows beside the teacher's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

transformers = pytest.importorskip("transformers")

from livesim.errors import TrainingError  # noqa: E402
from livesim.training import rehearsal  # noqa: E402
from livesim.training.base_model import ensure_base_model  # noqa: E402
from livesim.training.data import Lesson, bundle, counted  # noqa: E402
from livesim.training.settings import SftConfig, TrainConfig  # noqa: E402
from livesim.training.stage_settings import RehearsalConfig  # noqa: E402

HELLO, END = 19556, 2  # of SmolLM2's tokenizer


@pytest.fixture(scope="module")
def tokenizer():
    return transformers.AutoTokenizer.from_pretrained(ensure_base_model())


def asked(tokenizer, folder: Path, *, draws: int = 3, seed: int = 5, tokens: int = 24) -> list[list[Lesson]]:
    config = SftConfig(harnesses=draws, batch=1, rehearsal={"share": 0.5, "answer_tokens": tokens}, limit_s=240)
    train = TrainConfig(name="x", seed=seed, world={"tasks_per_harness": 2}, sft=config)
    return rehearsal.lessons(train, config, ensure_base_model(), tokenizer, folder)


def answering(monkeypatch: pytest.MonkeyPatch, *answers: Sequence[int]) -> None:
    """Instead of an engine: these answers, in turn; none: as many empty lists as there are prompts, less one."""

    def engine(command: Sequence[str], *, environment: Mapping[str, str], **_: object) -> list[dict[str, float]]:
        source, target = map(Path, command[-2:])
        count = len(json.loads(source.read_text())["prompts"])
        found = [answers[i % len(answers)] for i in range(count)] if answers else [[]] * (count - 1)
        target.write_text(json.dumps(found))
        return []

    monkeypatch.setattr(rehearsal, "run_engine", engine)


def test_its_share_is_of_all_rows_and_the_teachers_stay_as_many() -> None:
    assert (SftConfig(harnesses=75).rehearsed, SftConfig(harnesses=75).steps) == (0, 18)
    config = SftConfig(harnesses=75, batch=1, epochs=2, rehearsal={"share": 0.25})
    assert config.rehearsed == 25
    assert config.steps == 200
    with pytest.raises(ValueError, match=r"unknown prompt source 'owm'.*did you mean 'own'"):
        RehearsalConfig(sources=("owm",))


def test_answers_are_imitated_as_they_were_sampled_and_prompts_are_not(tokenizer, tmp_path, monkeypatch) -> None:
    answering(monkeypatch, [HELLO, END], [HELLO, HELLO])  # the second was cut
    groups = asked(tokenizer, tmp_path)
    assert [len(group) for group in groups] == [2, 2, 2]
    for whole, cut in groups:
        assert whole.ids[-2:] == (HELLO, END)
        assert cut.ids[-2:] == (HELLO, HELLO)
        for lesson in (whole, cut):
            assert sum(lesson.mask) == 2
            assert lesson.mask[-2:] == (1, 1)
            assert tokenizer.decode(lesson.ids[:-2]).endswith("<|im_end|>\n<|im_start|>assistant\n")
    assert counted(groups)["trained_tokens"] == 12
    assert sum(bundle(groups[0])["loss_mask"]) == 4
    assert asked(tokenizer, tmp_path) == groups
    assert asked(tokenizer, tmp_path, seed=6) != groups
    assert len({lesson.ids for group in groups for lesson in group}) == 6


def test_a_stage_that_does_not_rehearse_starts_no_engine(tokenizer, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(rehearsal, "run_engine", None)
    config = SftConfig(harnesses=4)
    train = TrainConfig(name="x", sft=config)
    assert rehearsal.lessons(train, config, ensure_base_model(), tokenizer, tmp_path) == []


def test_a_missing_answer_is_an_error(tokenizer, tmp_path, monkeypatch) -> None:
    answering(monkeypatch)
    with pytest.raises(TrainingError, match="5 answers to 6 prompts"):
        asked(tokenizer, tmp_path)


@pytest.mark.train
@pytest.mark.slow
def test_the_start_model_answers_in_an_engine_of_its_own(tokenizer, tmp_path) -> None:
    pytest.importorskip("vllm")
    (group,) = asked(tokenizer, tmp_path, draws=1, tokens=12)
    for lesson in group:
        assert 1 <= sum(lesson.mask) <= 12
        assert lesson.mask == (0,) * (len(lesson.mask) - sum(lesson.mask)) + (1,) * sum(lesson.mask)
    assert "livesim.training.rehearsal" in (tmp_path / "log.txt").read_text()
