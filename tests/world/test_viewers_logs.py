"""Comment logs: every format as exported, the report of what was left out, and files that are torn."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from livesim.config import parse
from livesim.errors import ConfigError, ViewerError
from livesim.world.viewing.logs.formats import FORMATS
from livesim.world.viewing.logs.load import Cut, Log, load_log
from livesim.world.viewing.logs.records import Columns

LOGS = Path(__file__).with_name("fixtures") / "logs"
HEADLESS = Columns(viewer=1, time=2, text=3)


def load(name: str, **options: object) -> Log:
    columns = HEADLESS if name == "headless.csv" else None
    return load_log(LOGS / name, columns=columns, **options)  # type: ignore[arg-type]


def told(log: Log) -> list[tuple[float, str, str]]:
    return [(c.at_s, c.name, c.text) for c in log.comments]


CHAT = [
    (0.0, "viewer1", "hello everyone"),
    (17.4, "viewer2", "how much is link 2?"),
    (25.0, "viewer3", "love this, is it in stock?"),
    (35.0, "viewer4", "call me on [phone] @viewer2"),
]

EXPECTED = {
    "chat_downloader.json": ("chat-downloader", CHAT, {"deleted": 1, "duplicate": 1, "gift": 3, "system": 1}, 1),
    "chat_downloader.jsonl": ("chat-downloader", CHAT, {"deleted": 1, "duplicate": 1, "gift": 3, "system": 1}, 2),
    "chat_downloader.csv": (
        "table",
        CHAT,
        {"deleted": 1, "duplicate": 1, "empty": 1, "gift": 2, "system": 1},
        1,
    ),
    "twitch_downloader.json": (
        "twitch-downloader",
        [
            (0.0, "viewer1", "how much is link 2?"),
            (4.5, "viewer2", "is it in stock?"),
            (7.0, "viewer3", "any coupon today?"),
        ],
        {"gift": 2},
        2,
    ),
    "yt_dlp.live_chat.json": (
        "yt-dlp",
        [
            (0.0, "viewer1", "good evening"),
            (35.25, "viewer2", "how much is link 2? \U0001f600"),
            (39.0, "viewer3", "when does it ship?"),
            (42.0, "viewer4", ":_wave:"),
        ],
        {"deleted": 2, "gift": 3, "system": 2},
        1,
    ),
    "bilibili.xml": (
        "bilibili",
        [(0.0, "viewer1", "主播好"), (1.75, "viewer2", "2号链接多少钱"), (5.5, "viewer3", "A&B 这个有货吗")],
        {"empty": 1, "system": 1},
        2,
    ),
    "bilibili_live.xml": (
        "bilibili",
        [
            (0.0, "viewer1", "how much is link 2?"),
            (3.3, "viewer2", "when does it ship?"),
            (4.8, "viewer1", "still there?"),
        ],
        {"gift": 2},
        1,
    ),
    "tiktok.jsonl": (
        "tiktok",
        [
            (0.0, "viewer1", "how much is link 2?"),
            (4.0, "viewer2", "is it in stock?"),
            (5.5, "viewer3", "any coupon today?"),
        ],
        {"entry": 1, "gift": 1, "like": 1, "system": 1},
        1,
    ),
    "tiktok.txt": (
        "tiktok",
        [(0.0, "viewer1", "how much is link 2?"), (3.75, "viewer2", "is it in stock?")],
        {"gift": 1},
        3,
    ),
    "semicolons_gbk.csv": (
        "table",
        [(0.0, "viewer1", "2号链接多少钱"), (2.0, "viewer2", "主播好"), (57.0, "viewer3", "有货吗;急")],
        {},
        0,
    ),
    "latin.tsv": ("table", [(0.0, "viewer1", "how much is link 2?"), (5.0, "viewer2", "merci, ça va")], {}, 0),
    "headless.csv": ("table", [(0.0, "viewer1", "how much is link 2?"), (5.0, "viewer2", "hello")], {}, 0),
    "labelled.csv": (
        "table",
        [(0.0, "viewer1", "price of the second, please?"), (5.5, "viewer2", "what a day")],
        {},
        2,
    ),
}


def test_every_fixture_is_covered() -> None:
    assert sorted(EXPECTED) == sorted(path.name for path in LOGS.iterdir())


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_an_export_is_recognised_and_read_as_it_was_written(name: str) -> None:
    kind, comments, left_out, unread = EXPECTED[name]
    log = load(name)
    assert log.report.format == kind
    assert told(log) == comments
    assert log.report.left_out == left_out
    assert sum(log.report.unread.values()) == unread


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_record_is_kept_left_out_or_named_as_unread(name: str) -> None:
    report = load(name).report
    assert report.records == report.kept + sum(report.left_out.values()) + sum(report.unread.values())
    assert len(report.examples) == sum(report.unread.values())
    assert all(example.startswith("line ") for example in report.examples)
    assert str(report.records) in str(report)


def test_unread_records_are_named_with_line_and_reason() -> None:
    assert load("chat_downloader.jsonl").report.examples == ("line 11: no time", "line 12: not JSON")
    assert load("tiktok.txt").report.examples == (
        "line 5: no time",
        "line 6: no event line",
        "line 4: time of another clock",
    )


def test_labels_of_a_table_are_taken_over() -> None:
    first, second = load("labelled.csv").comments
    assert (first.intent, first.link) == ("price", 2)
    assert (second.intent, second.link) == ("chitchat", None)


def test_names_are_kept_on_demand() -> None:
    log = load("chat_downloader.json", cut=Cut(keep_names=True))
    assert [c.name for c in log.comments] == ["Leo", "Mia", "Ana", "Zoe"]
    assert log.comments[-1].text.endswith("@Mia")


def test_a_part_of_a_log_can_be_replayed_faster() -> None:
    log = load("chat_downloader.json", cut=Cut(start_s=10, end_s=30, speed=2))
    assert [(c.at_s, c.text) for c in log.comments] == [
        (3.7, "how much is link 2?"),
        (7.5, "love this, is it in stock?"),
    ]
    assert log.report.left_out["outside"] == 2


def test_duplicates_are_merged_within_two_seconds_only(tmp_path: Path) -> None:
    rows = [(0, "a", "hi"), (2, "a", "hi"), (4.5, "a", "hi"), (4.6, "b", "hi"), (5, "a", "hi there")]
    path = tmp_path / "log.csv"
    path.write_text("time,user,text\n" + "".join(f"{t},{u},{x}\n" for t, u, x in rows))
    log = load_log(path)
    assert [c.at_s for c in log.comments] == [0, 4.5, 4.6, 5]
    assert log.report.left_out == {"duplicate": 1}


def test_a_gzipped_log_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "chat.json.gz"
    path.write_bytes(gzip.compress((LOGS / "twitch_downloader.json").read_bytes()))
    assert told(load_log(path)) == EXPECTED["twitch_downloader.json"][1]


def test_a_torn_gzip_is_named(tmp_path: Path) -> None:
    path = tmp_path / "chat.json.gz"
    path.write_bytes(gzip.compress(b"[1, 2, 3]" * 100)[:30])
    with pytest.raises(ViewerError, match=r"chat\.json\.gz: line 1: no whole gzip file"):
        load_log(path)


def test_a_table_that_is_no_known_export_needs_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("wann|wer|was\n00:01|mia|hi\n00:03|leo|ho\n")
    with pytest.raises(ViewerError, match=r"own\.csv: line 1: no known log format"):
        load_log(path)
    named = load_log(path, columns=Columns(time="wann", viewer="wer", text="was"))
    assert told(named) == [(0.0, "viewer1", "hi"), (2.0, "viewer2", "ho")]
    with pytest.raises(ViewerError, match="no column 'wer2'; columns: wann, wer, was"):
        load_log(path, columns=Columns(time="wann", viewer="wer2", text="was"))


def test_a_stray_quote_does_not_swallow_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    lines = ["time,user,text", '0,mia,"how much', *(f"{n},leo,line {n}" for n in range(1, 200))]
    path.write_text("\n".join(lines))
    assert load_log(path).report.kept == 200


def test_quoted_line_breaks_stay_in_their_field_and_later_lines_are_numbered_right(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text('time,user,text\n0,mia,"how\nmuch"\n,leo,no time\n3,leo,ok\n')
    log = load_log(path)
    assert told(log) == [(0.0, "viewer1", "how much"), (3.0, "viewer2", "ok")]
    assert log.report.examples == ("line 4: no time",)


def test_a_clock_of_the_day_goes_on_after_midnight(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("time,user,text\n23:59:50,a,x\n00:00:10,b,y\n")
    assert [c.at_s for c in load_log(path).comments] == [0, 20]


@pytest.mark.parametrize("name", ["nothing.json", "."])
def test_a_missing_log_names_what_is_there(name: str) -> None:
    with pytest.raises(ViewerError, match="no comment log"):
        load_log(LOGS / name)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf", b"\x0b\0"])
def test_an_empty_log_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "empty.json"
    path.write_bytes(content)
    with pytest.raises(ViewerError, match=r"empty\.json: line 1: the file is empty"):
        load_log(path)


def test_a_log_without_comments_says_what_it_held(tmp_path: Path) -> None:
    path = tmp_path / "gifts.jsonl"
    path.write_text(json.dumps({"event": "GiftEvent", "data": {"user": {"unique_id": "x"}}}) + "\n")
    with pytest.raises(ViewerError, match=r"gifts\.jsonl: line 1: only gifts.*gift 1"):
        load_log(path)


def test_entities_in_xml_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xml"
    path.write_text('<!DOCTYPE i [<!ENTITY a "aaaa">]><i><d p="1,1,1,1,1,1,u">&a;</d></i>')
    with pytest.raises(ViewerError, match=r"bomb\.xml: line 1: .*document type"):
        load_log(path)


def test_an_unknown_format_or_column_field_names_the_nearest() -> None:
    with pytest.raises(ViewerError, match="did you mean 'tiktok'"):
        load_log(LOGS / "tiktok.jsonl", format_name="tictok")
    with pytest.raises(ConfigError, match="did you mean 'delimiter'"):
        parse(Columns, {"delimeter": ";"}, "columns")


def is_clear(error: Exception, name: str) -> bool:
    return isinstance(error, ViewerError | ConfigError) and name in str(error) and ": line " in str(error)


def load_any(path: Path, format_name: str, columns: Columns | None) -> None:
    try:
        report = load_log(path, format_name=format_name, columns=columns).report
    except Exception as error:
        if not is_clear(error, path.name):
            raise
    else:
        assert report.kept > 0
        assert report.records == report.kept + sum(report.left_out.values()) + sum(report.unread.values())


SMALL = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@SMALL
@given(data=st.data())
def test_a_garbled_export_is_read_or_refused_with_file_and_line(data: st.DataObject, tmp_path: Path) -> None:
    name = data.draw(st.sampled_from(sorted(EXPECTED)))
    content = bytearray((LOGS / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(0, len(content) - 1)))
        kind = data.draw(st.integers(0, 4))
        if kind == 0:
            del content[at:]
        elif kind == 1:
            del content[at : at + data.draw(st.integers(1, 40))]
        elif kind == 2:
            content[at:at] = data.draw(st.binary(min_size=1, max_size=8))
        elif kind == 3:
            piece = data.draw(
                st.sampled_from([b'"', b"{", b"[" * 3000, b"]", b"<", b"\0", b"\xff\xfe", b"9" * 6000, b"NaN"])
            )
            content[at:at] = piece
        else:
            content[at : at + 1] = data.draw(st.binary(min_size=1, max_size=1))
    path = tmp_path / f"garbled_{name}"
    path.write_bytes(bytes(content))
    load_any(path, "auto", HEADLESS if name == "headless.csv" else None)


@SMALL
@given(data=st.data())
def test_any_bytes_read_as_any_format_are_refused_with_file_and_line(data: st.DataObject, tmp_path: Path) -> None:
    content = data.draw(
        st.one_of(
            st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
        )
    )
    path = tmp_path / "noise.bin"
    path.write_bytes(content)
    columns = data.draw(st.sampled_from([None, HEADLESS, Columns(time="time", text="text")]))
    load_any(path, data.draw(st.sampled_from(["auto", *FORMATS])), columns)


_FIELDS = """
message time_in_seconds message_type author comments content_offset_seconds replayChatItemAction actions
addChatItemAction item liveChatTextMessageRenderer runs text event data comment user timestamp timestampUsec
videoOffsetTimeMsec commenter body fragments name createTime time_text money
"""
FIELDS = sorted(_FIELDS.split())
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(FIELDS),
            inner,
            max_size=6,
        ),
    ),
    max_leaves=25,
)


@SMALL
@given(value=JSON, name=st.sampled_from(["yt-dlp", "twitch-downloader", "chat-downloader", "tiktok", "auto"]))
def test_json_with_the_right_words_in_wrong_places_never_breaks_a_reader(
    value: object, name: str, tmp_path: Path
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(value))
    load_any(path, name, None)
