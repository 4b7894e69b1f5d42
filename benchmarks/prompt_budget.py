"""How many tokens of the base model does a harness cost, block by block, and a whole request played on it?

Run: ``python benchmarks/prompt_budget.py default compact [--requests 40] [--tokenizer FOLDER]``. A harness is a name
or a folder. The request is the teacher's whole conversation: chat marks, results and turns included.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import gymnasium as gym

from agents.roster import ROSTER
from livesim.harness import shelf
from livesim.harness.prompt import block_text, fill, system_prompt
from livesim.harness.state import HarnessState
from livesim.rollout import play

Counter: TypeAlias = Callable[[str], int]
"""Tokens of a text."""


def counter(folder: Path | None) -> Counter:
    """A counter with the tokenizer in ``folder``; without one, that of the base model."""
    from tokenizers import Tokenizer

    if folder is None:
        from livesim.training.base_model import ensure_base_model

        folder = ensure_base_model()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def block_rows(state: HarnessState, count: Counter) -> list[tuple[str, int]]:
    """Tokens of each prompt block with its heading, of the whole system prompt, and of the skill bodies."""
    rows = []
    for block in state.prompt.blocks:
        heading = state.prompt.heading.replace("{}", block.heading) + "\n" if block.heading else ""
        rows.append((f"block {block.id}", count(heading + block_text(state, block.text))))
    rows.append(("system prompt", count(system_prompt(state))))
    bodies = [count(fill(skill.body, state)) for skill in state.skills]
    rows.append(("skill body, mean", round(statistics.mean(bodies))))
    rows.append(("skill body, longest", max(bodies)))
    return rows


def request_rows(harness: str, count: Counter, requests: int) -> list[tuple[str, int]]:
    """Tokens of whole conversations of the oracle with this harness, one request a seed."""
    agent = ROSTER["oracle"]()
    env = gym.make("livesim:LiveStream-v0", harness=harness, requests=1)
    sizes, opening = [], []
    for seed in range(requests):
        for record in play(agent, env, seed).requests:
            texts = [f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in record.messages]
            sizes.append(count("".join(texts)))
            opening.append(count(texts[1]))
    env.close()
    sizes.sort()
    return [
        ("request message, mean", round(statistics.mean(opening))),
        ("whole request, median", sizes[len(sizes) // 2]),
        ("whole request, 95th percentile", sizes[min(len(sizes) - 1, int(0.95 * len(sizes)))]),
        ("whole request, longest", sizes[-1]),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("harness", nargs="*", default=["default", "compact"], help="names or folders")
    parser.add_argument("--requests", type=int, default=40, help="oracle requests to play; 0 for none")
    parser.add_argument("--tokenizer", type=Path, help="folder with tokenizer.json; default: the base model's")
    args = parser.parse_args()
    count = counter(args.tokenizer)
    for harness in args.harness:
        rows = block_rows(shelf.load(harness), count)
        if args.requests:
            rows += request_rows(harness, count, args.requests)
        print(f"\n{harness}")
        for name, tokens in rows:
            print(f"  {name:<32}{tokens:>6}")


if __name__ == "__main__":
    main()
