"""Agreement of the rule judge with replies labelled by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import yaml

from rewards.judge import RuleJudge
from rewards.signals import Limits, Signals

BLOCKS = [
    block
    for name in (
        "labelled.yaml",
        "labelled_fresh.yaml",
        "labelled_third.yaml",
        "labelled_fourth.yaml",
        "labelled_fifth.yaml",
    )
    for block in yaml.safe_load(Path(__file__).with_name(name).read_text(encoding="utf-8"))
]


def cases(signals: Callable[..., Signals]) -> list[tuple[dict, list, Signals]]:
    """(block, labelled reply, signals) of the whole file."""
    return [
        (
            block,
            row,
            signals(
                row[0],
                block["needs"],
                block["calls"],
                block["comments"],
                changes=block.get("changes"),
                limits=Limits(**block.get("limits", {})),
                shop=block.get("shop", "first"),
            ),
        )
        for block in BLOCKS
        for row in block["replies"]
    ]


def test_the_labelled_set_is_wide() -> None:
    rows = [row for block in BLOCKS for row in block["replies"]]
    assert len(rows) >= 500
    assert len({row[0] for row in rows}) >= 0.95 * len(rows)
    by_intent = Counter(block["intent"] for block in BLOCKS for _ in block["replies"])
    assert len(by_intent) == 15
    assert min(by_intent.values()) >= 8
    assert 0.3 < sum(row[1] == 0 for row in rows) / len(rows) < 0.7


def test_the_judge_agrees_with_people(signals: Callable[..., Signals]) -> None:
    judge = RuleJudge()
    wrong: dict[str, list[str]] = {"accuracy": [], "effectiveness": []}
    confusion: Counter[tuple[str, float, float]] = Counter()
    everything = cases(signals)
    for _, (reply, accuracy, effectiveness, about), one in everything:
        judged = judge.judge(one)
        for name, label, verdict in (
            ("accuracy", accuracy, judged.accuracy),
            ("effectiveness", effectiveness, judged.effectiveness),
        ):
            confusion[name, label, verdict.value] += 1
            if verdict.value != label:
                wrong[name].append(f"{label} -> {verdict.value} {reply!r} ({about}): {'; '.join(verdict.reasons)}")
    for name, rows in wrong.items():
        print(f"\n{name}: {1 - len(rows) / len(everything):.3f} of {len(everything)} agree", *rows, sep="\n  ")
    print(*sorted(confusion.items()), sep="\n")
    assert len(wrong["accuracy"]) <= 0.03 * len(everything)
    assert len(wrong["effectiveness"]) <= 0.07 * len(everything)
