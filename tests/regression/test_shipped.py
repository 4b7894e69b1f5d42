"""The shipped tests: clean under the linter, passed by the oracle, failed by whoever does nothing, always the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from pydantic import TypeAdapter
from typer.testing import CliRunner

from agents.floors import CallEverythingAgent, EchoAgent, SilentAgent
from agents.oracle import OracleAgent
from livesim.cli import app
from livesim.regression.lint import lint, lint_file
from livesim.regression.play import rehearse
from livesim.scenarios import library
from livesim.scenarios.beats import Beat, EditHarness
from livesim.scenarios.edits import HarnessEdit
from livesim.scenarios.script import Scenario
from livesim.tools.faults import FaultConfig
from livesim.types import Agent
from livesim.world.rules import profile
from rewards.signals import FaultKind

BEATS = TypeAdapter(Beat).json_schema()["discriminator"]["mapping"]


@pytest.mark.parametrize("name", library.tests())
def test_the_linter_finds_nothing_and_the_oracle_passes(name: str) -> None:
    assert [str(problem) for problem in lint(library.load(name), OracleAgent)] == []


def test_the_families_cover_what_they_should() -> None:
    families = library.families()
    assert sum(map(len, families.values())) >= 40
    assert set(families) == {
        "ab_traps",
        "after_sales",
        "burst",
        "confusion",
        "faults",
        "harness_edits",
        "injection",
        "promotions",
        "rules",
    }
    outcomes: dict[FaultKind, set[str]] = {}
    for name in families["faults"]:
        scenario = library.load(name)
        assert scenario.expect is not None
        told = {o for checks in (scenario.expect, *scenario.expect.requests.values()) for o in checks.outcome}
        for fault in scenario.fault_config.script:
            outcomes.setdefault(fault.kind, set()).update(told)
    assert set(outcomes) == set(FaultKind)
    recoverable = {kind for kind, told in outcomes.items() if told >= {"recovered", "honest"}}
    assert recoverable >= set(FaultKind) - {FaultKind.STALE}  # what is stale says so nowhere
    assert sum(isinstance(b, EditHarness) for n in library.tests() for b in library.load(n).beats) >= 8


def test_every_beat_and_every_edit_of_the_harness_is_met_in_a_shipped_test() -> None:
    scenarios = [library.load(name) for name in library.tests()]
    assert {beat.kind for scenario in scenarios for beat in scenario.beats} == set(BEATS)
    assert sum(beat.kind == "platform_change" and not profile(beat.platform).autonomous
               for scenario in scenarios for beat in scenario.beats) >= 1  # fmt: skip
    made = {
        name for scenario in scenarios for edit in scenario.edits for name in edit.model_dump(exclude_defaults=True)
    }
    assert made == set(HarnessEdit.model_fields)


def test_names_are_unique_and_every_scenario_is_named_after_its_file() -> None:
    names = (*library.names(), *library.tests())
    assert len(names) == len(set(names))
    for name in library.tests():
        assert library.load(name).name == name
        assert library.load(name).summary
        assert library.file_of(name).read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("name", library.tests()[::4])
def test_the_oracle_passes_under_an_unseen_variant_and_another_seed_too(name: str) -> None:
    scenario = library.load(name)
    how = scenario.play.model_copy(update={"augment": "heldout", "seed": 2, "harness_seed": 5})
    done = rehearse(scenario.model_copy(update={"play": how}), OracleAgent())
    assert [str(line) for line in done.lines if not line.passed] == []


@pytest.mark.parametrize("agent", [SilentAgent, EchoAgent, CallEverythingAgent])
def test_policies_that_deserve_nothing_pass_next_to_nothing(agent: type) -> None:
    made: Agent = agent()
    passed = [name for name in library.tests()[::3] if rehearse(library.load(name), made).passed]
    assert passed == []


@pytest.mark.parametrize(
    "name",
    [
        "timeout_once",
        "rush_with_a_rate_limit",
        "everything_at_once_on_a_variant",
        "spells_in_the_rush",
        "contradiction_once",
    ],
)
def test_the_same_timeline_twice(name: str) -> None:
    first = rehearse(library.load(name), OracleAgent())
    again = rehearse(library.load(name), OracleAgent())
    assert [str(entry) for entry in first.timeline] == [str(entry) for entry in again.timeline]
    assert first.lines == again.lines
    assert [entry.at_s for entry in first.timeline] == sorted(entry.at_s for entry in first.timeline)


def test_the_timeline_shows_comments_faults_turns_beats_and_scores() -> None:
    lines = [str(entry) for entry in rehearse(library.load("rush_with_a_rate_limit"), OracleAgent()).timeline]
    text = "\n".join(lines)
    for words in ("flash on link 2: 50% off", "mia: flash price of link 2?", "rate_limit", "request r1 opens",
                  "<tool_call>", "accuracy 1", "fault: recovered", "promotion b0 ends"):  # fmt: skip
        assert words in text, words


def test_the_worked_example_of_the_docs_does_what_it_says(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
    file = tmp_path / "flash_sale.scenario.yaml"
    file.write_text(text.split("```yaml\n", 1)[1].split("```", 1)[0])
    assert lint_file(file, OracleAgent) == ()
    done = rehearse(library.load(file), OracleAgent())
    assert done.passed
    assert "quote_lookup" in "\n".join(str(entry) for entry in done.timeline)
    printed = CliRunner().invoke(app, ["scenario", "run", str(file)]).output.splitlines()
    shown = text.split("(`...`: left out", 1)[1].split("```")[1].split("\n")[1:-1]
    assert [line for line in printed if line in shown] == [line for line in shown if line != "..."]


def test_the_short_examples_of_the_docs_are_fields_of_a_scenario() -> None:
    text = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
    _, viewers, faults = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    line = "{at_s: 5, viewer: mia, text: 'how much?', intent: price, item: 1}"
    kinds = [yaml.safe_load(row.replace("[...]", f"[{line}]")) for row in viewers.splitlines()]
    assert len([Scenario(name="mine", **fields) for fields in kinds]) == 6
    spells = Scenario(name="mine", **yaml.safe_load(faults)).faults
    assert isinstance(spells, FaultConfig)
    assert len(spells.outages) == 2
