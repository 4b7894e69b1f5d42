"""Training data: SFT rows out of a teacher's episodes, rows of the RL stage, and the card that says what is in them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from livesim.arguments import drawn_variant
from livesim.env import LiveStreamEnv
from livesim.errors import TrainingError
from livesim.harness import shelf
from livesim.harness.augment import HSAConfig
from livesim.rollout import RequestRecord, play
from livesim.seeding import derive, stream
from livesim.training.card import Card, intents
from livesim.training.retries import failed, fit, without
from livesim.training.settings import RlConfig, SftConfig, WorldConfig
from livesim.training.stage_settings import hsa
from livesim.training.tokens import Conversation, Tokenizer
from livesim.types import Agent, JsonValue

MOST_DRAWS = 4
"""A harness draw is given up when this many times ``tasks_per_harness`` episodes did not fill it."""

Teacher = Callable[[float], Agent]
"""Makes a teacher that slips in that share of its episodes."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One teacher episode as tokens."""

    ids: tuple[int, ...]
    mask: tuple[int, ...]


def lessons(
    teacher: Teacher, world: WorldConfig, config: SftConfig, seed: int, tokenizer: Tokenizer
) -> tuple[list[list[Lesson]], dict[str, JsonValue]]:
    """Teacher episodes, grouped by the harness they share.

    Kept are episodes with full heads, each conversation once, in balance over what viewers want. Where the teacher
    was sent back by the harness, the failed steps are cut out, but for a small share of the lessons that stay whole:
    they show the way back. All of it is decided while the episodes are played, so the number of lessons is exact and
    a seed always gives the same ones.

    Args:
        teacher: makes the teacher.
        world: scenario, harness, tasks per draw.
        config: how many, and which augmentation.
        seed: of everything drawn.
        tokenizer: of the model.

    Returns:
        Groups of ``tasks_per_harness`` lessons, and the data card.

    Raises:
        TrainingError: the teacher fails too often to fill a draw.
    """
    env = LiveStreamEnv(scenario=world.scenario, harness=world.harness, faults=world.faults, requests=1)
    plain, slipping = teacher(0.0), teacher(1.0) if config.mistakes else None
    augment = hsa(config.augment)
    found: list[list[Lesson]] = []
    seen: set[tuple[int, ...]] = set()
    card = Card(config.balance)
    most_draws = MOST_DRAWS * world.tasks_per_harness
    whole_left = round(config.retries * config.harnesses * world.tasks_per_harness)
    for draw in range(config.harnesses):
        group: list[Lesson] = []
        harness_seed = derive(seed, "sft", "harness", draw)
        for attempt in range(most_draws):
            episode_seed = derive(seed, "sft", draw, attempt)
            slips = slipping is not None and stream(episode_seed, "slip").random() < config.mistakes
            agent = slipping if slips and slipping is not None else plain
            options = {"augment": augment, "harness_seed": harness_seed}
            episode = play(agent, env, episode_seed, options)
            (request,) = episode.requests
            if attempt == 0:
                card.variants += env.variant.count()
            if not fit(request):
                card.dropped["heads not full"] += 1
                continue
            # In the second half of its attempts a draw takes what it gets.
            if attempt < most_draws // 2 and card.enough(intents(episode)):
                card.dropped["enough of its intent"] += 1
                continue
            whole = bool(failed(request)) and whole_left > 0
            lesson = as_lesson(request, tokenizer, whole=whole)
            if len(lesson.ids) > config.row_tokens:
                card.dropped["too long"] += 1
                continue
            if lesson.ids in seen:
                card.dropped["seen before"] += 1
                continue
            seen.add(lesson.ids)
            card.add(episode, lesson.ids, lesson.mask, (str(change.dimension) for change in env.variant.changes))
            if failed(request):
                card.retries["kept whole" if whole else "cut out"] += 1
                whole_left -= whole
            group.append(lesson)
            if len(group) == world.tasks_per_harness:
                break
        if len(group) < world.tasks_per_harness:
            raise TrainingError(
                f"harness draw {draw}: only {len(group)} of {most_draws} teacher episodes are fit for training "
                f"(left out so far: {dict(card.dropped)})"
            )
        found.append(group)
    told: dict[str, JsonValue] = {
        **card.plain(),
        "seed": seed,
        "scenario": world.scenario,
        "harness": world.harness,
        "augment": json.loads(augment.model_dump_json()),
    }
    return found, told


def as_lesson(request: RequestRecord, tokenizer: Tokenizer, *, whole: bool = True) -> Lesson:
    """The token ids of a request, built as a rollout builds them.

    Args:
        request: that was played.
        tokenizer: of the model.
        whole: keep the turns that the harness sent back. They are seen, never imitated.
    """
    messages = [dict(message) for message in (request.messages if whole else without(request))]
    opening = next(i for i, m in enumerate(messages) if m["role"] == "assistant")
    talk = Conversation.start(tokenizer, messages[:opening])
    heard: list[Mapping[str, str]] = []
    for message in messages[opening:]:
        if message["role"] != "assistant":
            heard.append(message)
            continue
        if heard:
            talk.heard(heard)
            heard = []
        talk.said(message["content"])
    for turn in failed(request) if whole else ():
        start, end = talk.turns[turn]
        talk.mask[start:end] = [0] * (end - start)
    return Lesson(tuple(talk.ids), tuple(talk.mask))


def counted(groups: Sequence[Sequence[Lesson]]) -> dict[str, JsonValue]:
    """How much there is, for a data card: lessons, their tokens, and how many of these are imitated."""
    every = [lesson for group in groups for lesson in group]
    return {
        "lessons": len(every),
        "tokens": sum(len(lesson.ids) for lesson in every),
        "trained_tokens": sum(sum(lesson.mask) for lesson in every),
    }


def bundle(group: Sequence[Lesson]) -> dict[str, list[int]]:
    """A row for the SFT trainer: the lessons behind their common prefix, which is there once."""
    import torch

    from livesim.training.packing import Row, common_prefix, lay

    rows = []
    for lesson in group:
        mask = torch.tensor(lesson.mask)
        ids = torch.tensor(lesson.ids)
        rows.append(Row(ids, torch.arange(ids.numel()), torch.nonzero(mask).flatten() - 1))
    packed = lay(rows, [(range(len(rows)), common_prefix(rows) if len(rows) > 1 else 0)])
    trained = torch.zeros_like(packed.ids)
    trained[packed.logits_at + 1] = 1
    return {
        "input_ids": packed.ids.tolist(),
        "loss_mask": trained.tolist(),
        "position_ids": packed.positions.tolist(),
    }


def plain_row(lesson: Lesson) -> dict[str, list[int]]:
    """A row without sharing, for engines that do not know bundles."""
    return {
        "input_ids": list(lesson.ids),
        "loss_mask": list(lesson.mask),
        "position_ids": list(range(len(lesson.ids))),
    }


def episodes(world: WorldConfig, config: RlConfig, seed: int) -> list[dict[str, Any]]:
    """Rows of the RL stage: one request each; a group plays the same row, so it shares viewers, faults and harness."""
    original = HSAConfig(original_share=1.0)
    rows = []
    for index in range(config.steps * config.prompts):
        phase = config.phase(index // config.prompts)
        augment = weakened(hsa(config.augment), phase.strength)
        share = config.original_share if phase.original_share is None else phase.original_share
        episode_seed = derive(seed, "rl", index)
        kept = stream(episode_seed, "original").random() < share
        row = {
            "seed": episode_seed,
            "harness_seed": derive(seed, "rl", "harness", index),
            "scenario": world.scenario,
            "harness": world.harness,
            "faults": phase.faults or world.faults or "",
            "augment": (original if kept else augment).model_dump_json(),
            "index": index,
        }
        rows.append(
            {
                "data_source": "live_stream",
                "agent_name": "live_stream",
                "prompt": [{"role": "user", "content": f"episode {index}"}],
                "reward_model": {"style": "env", "ground_truth": ""},
                "extra_info": row,
            }
        )
    return rows


def variants(rows: Sequence[Mapping[str, Any]], harness: str) -> dict[str, JsonValue]:
    """What becomes of the draws of ``harness`` in RL's rows: proved, refused for what; see ``Variant.count``."""
    state = shelf.load(harness)
    counts: Counter[str] = Counter()
    for row in (row["extra_info"] for row in rows):
        config = HSAConfig.model_validate_json(row["augment"])
        counts += drawn_variant(state, config, row["harness_seed"], None).count()
    return {name: counts[name] for name in sorted(counts)}


def weakened(augment: HSAConfig, strength: float) -> HSAConfig:
    """The augmentation with every strength times ``strength``, and no episode left on the original harness."""
    scaled = {dimension: strength * value for dimension, value in augment.dimensions.items()}
    return augment.model_copy(update={"dimensions": scaled, "original_share": 0.0})


def write_rows(rows: Sequence[Mapping[str, Any]], path: Path) -> Path:
    """Write a parquet file, whole or not at all."""
    import pandas as pd

    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    pd.DataFrame(list(rows)).to_parquet(part)
    part.rename(path)
    return path


def write_card(card: Mapping[str, JsonValue], path: Path) -> None:
    """Write a data card as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
