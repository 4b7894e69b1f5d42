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
from livesim.training.process import Watch, nobody, run_engine
from livesim.training.prompt_sources import draw
from livesim.training.settings import SftConfig, TrainConfig
from livesim.training.tokens import Conversation, Tokenizer
from livesim.training.verl_overrides import offline_engine


def lessons(
    train: TrainConfig, config: SftConfig, model: Path, tokenizer: Tokenizer, folder: Path, watch: Watch = nobody
) -> list[list[Lesson]]:
    """General prompts as ``model`` answers them before it is trained.

    Args:
        train: seed, engine and tasks of a draw.
        config: of the stage; without ``rehearsal`` there are no lessons.
        model: folder of the model that SFT starts from.
        tokenizer: of it.
        folder: of the stage, for its log.
        watch: told of time passing.

    Returns:
        ``config.rehearsed`` groups of ``tasks_per_harness`` lessons.

    Raises:
        ConfigError: the package of a source cannot be had.
        TrainingError: the engine failed, or took longer than the stage may.
    """
    asks, group = config.rehearsal, train.world.tasks_per_harness
    if asks is None:
        return []
    prompts = draw(config.rehearsed * group, derive(train.seed, "rehearsal"), asks.sources)
    talks = [Conversation.start(tokenizer, prompt.messages) for prompt in prompts]
    asked, answered = folder / "asked.json", folder / "answered.json"
    job = {
        "model": str(model.resolve()),
        "prompts": [talk.ids for talk in talks],
        "answer_tokens": asks.answer_tokens,
        "temperature": asks.temperature,
        "eos": tokenizer.eos_token_id,
        "seed": derive(train.seed, "rehearsal", "answers") % 2**31,
        "engine": offline_engine(train.engine),
    }
    asked.write_text(json.dumps(job), encoding="utf-8")
    run_engine(
        [sys.executable, "-u", "-m", "livesim.training.rehearsal", str(asked), str(answered)],
        environment={**engine_environment(train.engine.device), "VLLM_ENABLE_V1_MULTIPROCESSING": "0"},
        folder=folder,
        steps=config.steps,
        limit_s=config.limit_s,
        watch=watch,
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
