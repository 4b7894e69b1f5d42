"""Rehearsal: general prompts with the answers of the model that SFT starts from, so that it keeps what it could say.

As a program (``python -m livesim.training.rehearsal ASKED ANSWERED``) it samples the answers, in a process of its own
that gives the device's memory back before training starts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from livesim.errors import TrainingError
from livesim.seeding import derive
from livesim.training.data import Lesson
from livesim.training.environment import engine_environment
from livesim.training.process import run_engine
from livesim.training.prompt_sources import draw
from livesim.training.settings import EngineConfig
from livesim.training.stage_settings import RehearsalConfig
from livesim.training.tokens import Conversation, Tokenizer
from livesim.training.verl_overrides import offline_engine


def lessons(
    model: Path,
    tokenizer: Tokenizer,
    config: RehearsalConfig,
    engine: EngineConfig,
    *,
    draws: int,
    group: int,
    seed: int,
    folder: Path,
    limit_s: float,
) -> list[list[Lesson]]:
    """General prompts as ``model`` answers them before it is trained.

    Args:
        model: folder of the model that SFT starts from.
        tokenizer: of it.
        config: sources of the prompts, length and temperature of the answers.
        engine: where they are sampled.
        draws: groups of lessons.
        group: lessons of one group.
        seed: of prompts and answers.
        folder: of the stage, for its log.
        limit_s: wall-clock seconds for the sampling.

    Raises:
        ConfigError: the package of a source cannot be had.
        TrainingError: the engine failed.
    """
    prompts = draw(draws * group, derive(seed, "rehearsal"), config.sources)
    talks = [Conversation.start(tokenizer, prompt.messages) for prompt in prompts]
    asked, answered = folder / "asked.json", folder / "answered.json"
    job = {
        "model": str(model.resolve()),
        "prompts": [talk.ids for talk in talks],
        "answer_tokens": config.answer_tokens,
        "temperature": config.temperature,
        "eos": tokenizer.eos_token_id,
        "seed": derive(seed, "rehearsal", "answers") % 2**31,
        "engine": offline_engine(engine),
    }
    asked.write_text(json.dumps(job), encoding="utf-8")
    run_engine(
        [sys.executable, "-u", "-m", "livesim.training.rehearsal", str(asked), str(answered)],
        environment={**engine_environment(engine.device), "VLLM_ENABLE_V1_MULTIPROCESSING": "0"},
        folder=folder,
        steps=1,
        limit_s=limit_s,
    )
    answers = json.loads(answered.read_text(encoding="utf-8"))
    if len(answers) != len(talks):
        raise TrainingError(f"{len(answers)} answers to {len(talks)} prompts, see {folder / 'log.txt'}")
    for talk, ids in zip(talks, answers, strict=True):
        talk.sampled(ids)
    found = [Lesson(tuple(talk.ids), tuple(talk.mask)) for talk in talks]
    return [found[at : at + group] for at in range(0, len(found), group)]


def main(arguments: Sequence[str]) -> None:
    """Sample one answer to each prompt of the file ``ASKED`` into the file ``ANSWERED``."""
    asked, answered = map(Path, arguments)
    job = json.loads(asked.read_text(encoding="utf-8"))
    from vllm import LLM, SamplingParams

    longest = max(map(len, job["prompts"])) + job["answer_tokens"]
    engine = LLM(model=job["model"], max_model_len=longest, generation_config="vllm", seed=job["seed"], **job["engine"])
    params = SamplingParams(
        temperature=job["temperature"],
        max_tokens=job["answer_tokens"],
        stop_token_ids=[job["eos"]],
        detokenize=False,
    )
    outputs = engine.generate([{"prompt_token_ids": ids} for ids in job["prompts"]], params, use_tqdm=False)
    answered.write_text(json.dumps([list(output.outputs[0].token_ids) for output in outputs]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
