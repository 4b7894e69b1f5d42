"""How far does evolving its harness carry a weak host, when do more rules harm, and does it help on unseen cases?

Run: ``python benchmarks/harness_evolution.py --out runs/evolution [--agent novice] [--other novice:0.3]``. Three
parts: an evolution with regression check and rollback; the same with every step kept, to see the turning point; and
the held-out harness-edit test, the evolved harness plugged into two frozen agents. The novice is a rule-bound
stand-in, no model; ``--agent`` also takes a model folder or the address of an endpoint.
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path

from livesim.evaluation.hosts import host
from livesim.evolution.chart import draw
from livesim.evolution.command import Order, run
from livesim.evolution.heldout import heldout_edit_test
from livesim.evolution.heldout import table as heldout_table
from livesim.evolution.report import table
from livesim.evolution.settings import EvolveConfig


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs; goes on where it stopped")
    parser.add_argument("--agent", default="novice")
    parser.add_argument("--other", default="novice:0.3", help="second frozen agent of the held-out test")
    parser.add_argument("--harness", default="compact")
    parser.add_argument("--episodes", type=int, default=160, help="of dev and of test")
    parser.add_argument("--steps", type=int, default=14)
    parser.add_argument("--own", action="store_true", help="evolve a harness for the second agent too")
    args = parser.parse_args()
    host(args.other)  # a wrong name shows before the work
    config = EvolveConfig(episodes=args.episodes, steps=args.steps)
    kept = config.model_copy(update={"keep_all": True})
    parts = [f"{' '.join(['python', *sys.argv])}\n{platform.machine()}, Python {platform.python_version()}"]
    for name, settings in (("checked", config), ("kept", kept)):
        folder = args.out / (args.agent if name == "checked" else name)  # where the held-out test finds it again
        trail = run(Order(args.agent, folder, args.harness, yes=True, config=settings))
        parts.append(f"{name}\n{table(trail)}\nstopped: {trail.stopped}")
        draw(trail, args.out / f"{name}.png")
    sources = {f"the harness evolved for {args.agent}": args.agent}
    if args.own:
        sources["own harness each"] = ""
    for name, source in sources.items():
        results = heldout_edit_test(
            [args.agent, args.other], [0], [1], out=args.out, harness=args.harness, config=config, harness_of=source
        )
        parts.append(f"held-out edits, {name}\n{heldout_table(results)}")
    text = "\n\n".join(parts) + "\n"
    (args.out / "harness_evolution.txt").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
