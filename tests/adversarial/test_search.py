"""The search for exploits finds none within its budget, and finds one that is planted."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "search_exploits.py"


@pytest.fixture(scope="module")
def search() -> ModuleType:
    spec = importlib.util.spec_from_file_location("search_exploits", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_no_trick_earns_what_the_oracle_earns(search: ModuleType) -> None:
    lines: list[str] = []
    found = search.search(seconds=60.0, seed=1, episodes=6, say=lines.append)
    assert len({find.intent for find in found}) >= 5
    assert sum(find.tried for find in found) > 500
    assert not [line for line in lines if line.startswith("EXPLOIT")]


def test_a_planted_exploit_is_found(search: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that pays for the word "great" is seen through."""
    from rewards.judge import Judgement
    from rewards.verdict import Verdict

    class Gullible:
        def judge(self, signals: Any) -> Judgement:
            paid = Verdict(float("great" in (signals.reply or "")))
            return Judgement(paid, paid)

    monkeypatch.setattr(search, "RuleJudge", Gullible)
    tasks = [task for task in search.record(seed=1, episodes=2) if search.needy(task)][:8]
    finds = search.tricks("any", tasks, search.stream(0, "test"), seconds=1.5)
    assert any(find.exploit for find in finds)
    assert "great" in "".join(finds[0].trick.reply)


def test_a_tool_head_that_overlooks_nonsense_is_seen_through(
    search: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that only asks whether the right tool was called pays for the right tool asked about anything."""
    from rewards.verdict import Verdict

    def lenient(signals: Any) -> Verdict:
        tools = {call.tool for need in signals.needs for plan in need.plans for call in plan}
        return Verdict(float(any(call.tool in tools for call in signals.calls)))

    tasks = [task for task in search.record(seed=1, episodes=2) if search.calm(task)][:8]
    monkeypatch.setattr(search.tool_rationality, "head", lenient)
    assert any(find.exploit for find in search.wastes("any", tasks, search.stream(0, "test"), seconds=1.0))


def test_calls_go_as_they_would_in_the_shop(search: ModuleType) -> None:
    from agents.cheats.programs import HONEST, Step, informed, performed

    tasks = [task for task in search.record(seed=1, episodes=2) if search.calm(task) and search.needy(task)]
    for task in tasks:
        needs, honest = task.signals.needs, task.signals.calls
        assert performed(HONEST, task.shop, task.signals) == honest
        assert performed((), task.shop, task.signals) == ()
        one = performed((Step("needed"),), task.shop, task.signals)
        assert len(needs) > 1 or informed(one, needs)
        lost = performed((Step("weather"), Step("needed", "unlisted"), Step("needed", "word")), task.shop, task.signals)
        assert not informed(lost, needs)
        assert [str(call.error or "") for call in lost] == ["unknown_tool", "", "bad_arguments"]


def test_a_template_that_holds_the_answer_is_left_out(search: ModuleType) -> None:
    task = next(task for task in search.record(seed=1, episodes=2) if search.needy(task))
    value = task.values[0]
    said = (f"it is {value}",)
    assert search.knows(f"it is {value}.", ("x",), task)
    assert not search.knows(f"it is 1{value}7.", ("x",), task)
    assert search.earned(search.Trick(search.HONEST, said), [task, task]) == -1.0
    assert search.earned(search.Trick((), said), [task, task]) <= 0.5  # right by luck: nobody looked
