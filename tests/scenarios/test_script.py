"""Scenarios as data: strict, frozen, hashed, and turned into streams by seed alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from livesim.errors import ScenarioError
from livesim.scenarios.library import load, names, sample
from livesim.scenarios.opening import flash_id, happen, open_stream, room_info, timeline
from livesim.scenarios.script import Scenario
from livesim.types import Intent
from livesim.world import events as ev
from livesim.world.promotions import PromotionKind


def scenario(**changes: object) -> Scenario:
    data: dict[str, object] = {"name": "t", "catalog": {"seed": 1, "items": 3, "promotions": False}, "horizon_s": 100}
    return Scenario.model_validate(data | changes)


def test_the_shipped_scenarios_load_and_are_named_after_their_files() -> None:
    assert {"tiny", "qa", "quiet_room", "mid_room", "flash_sale", "recovery"} <= set(names())
    for name in names():
        assert load(name).name == name
        assert load(name).summary


def test_a_scenario_is_taken_by_name_file_or_value(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("name: mine\nfaults: light\nbeats:\n  - {kind: sold_out, at_s: 3}\n")
    mine = load(file)
    assert (mine.name, mine.beats[0].kind, mine.fault_config.rates != {}) == ("mine", "sold_out", True)
    assert load(str(file)) == mine
    assert load(mine) is mine


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: x\nhorizn_s: 3\n", "did you mean 'horizon_s'"),
        ("name: x\nbeats: [{kind: sold_ot}]\n", "unknown kind 'sold_ot'.*did you mean 'sold_out'"),
        (
            "name: x\nfaults: {script: [{tool: price_check, kind: timeot}]}\n",
            "faults.script.0.kind: unknown value 'timeot'",
        ),
        ("name: x\nfaults: {rats: {}}\n", "did you mean 'rates'"),
        ("name: x\nviewers: {viewrs: 3}\n", "did you mean 'viewers'"),
        ("name: x\nfaults: lihgt\n", "did you mean 'light'"),
        ("name: x\nplatform: taobo\n", "did you mean 'taobao'"),
        ("name: x\nbeats: [{kind: sold_otu, at_s: 3}]\n", "sold_out"),
        ("name: x\nbeats: [{kind: sold_out, at_s: 3, optoin: red}]\n", "optoin"),
        ("name: x\nbeats: [{kind: sold_out, at_s: 700}]\n", "beyond the horizon"),
        ("name: x\nbeats: [{kind: sold_out, at_s: 3, item: 9}]\n", "there is no item 9 among 5"),
        ("name: x\ncatalog: {items: 50}\n", "1 to 40"),
        ("name: x\ncatalog: {goods: [{title: pan, price: .inf}]}\n", "inf is no amount in yuan"),
        ("name: x\ncatalog: {goods: [{title: pan, price: .nan}]}\n", "nan is no amount in yuan"),
        ("name: x\nbeats: [{kind: flash_start, at_s: 3, percent: 9, lasts_s: .inf}]\n", "finite number"),
        ("name: [x\n", "no readable YAML"),
        ("name: x\nsays: [{text: how much?, at_s: 3}]\n", r"line 2 is no readable YAML.*got '\?'; put text that holds"),
        ("horizon_s: 3\n", "name"),
    ],
)
def test_a_wrong_file_is_an_error_that_names_what_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(ScenarioError, match=words):
        load(file)


def test_an_unknown_name_or_file_is_named() -> None:
    with pytest.raises(ScenarioError, match="did you mean 'tiny'"):
        load("tinny")
    with pytest.raises(ScenarioError, match=r"no file .*nowhere\.yaml"):
        load("nowhere.yaml")


def test_the_hash_follows_the_content_and_nothing_else() -> None:
    assert scenario().hash == scenario(summary="other words").hash
    assert scenario().hash != scenario(horizon_s=101).hash
    assert scenario(viewers={"intents": {"price": 1}}).hash != scenario(viewers={"intents": {"stock": 1}}).hash
    with pytest.raises(ValidationError):
        scenario().horizon_s = 3  # type: ignore[misc]


def test_a_sample_depends_on_the_seed_and_varies() -> None:
    drawn = [sample(seed) for seed in range(40)]
    assert drawn == [sample(seed) for seed in range(40)]
    assert len({s.name for s in drawn}) >= 3
    assert len({s.hash for s in drawn}) > 30
    assert all(Scenario.model_validate(s.model_dump()) == s for s in drawn)


def test_training_rooms_ask_only_what_the_compact_harness_serves() -> None:
    assert set(load("qa").viewers.intents) == {
        Intent.PRICE,
        Intent.PROMOTION,
        Intent.ATTRIBUTE,
        Intent.STOCK,
        Intent.SHIPPING,
        Intent.RETURNS,
        Intent.GREETING,
        Intent.CHITCHAT,
    }


def test_a_stream_depends_on_scenario_and_seed_alone_and_is_made_anew() -> None:
    first, second = open_stream(load("qa"), 4), open_stream(load("qa"), 4)
    assert first == second
    first.apply(ev.StockSet(0.0, next(iter(first.stock)), 999))
    assert first != second
    assert {len(open_stream(load("qa"), s).catalog.products) for s in range(20)} == {4, 5, 6}
    assert len({open_stream(load("qa"), s).on_air for s in range(20)}) > 2


def test_orders_exist_only_where_somebody_may_ask_for_them() -> None:
    assert open_stream(load("qa"), 1).orders == ()
    assert len(open_stream(load("quiet_room"), 1).orders) > 0


BEATS: list[dict[str, object]] = [
    {"kind": "flash_start", "at_s": 10, "item": 2, "percent": 30, "lasts_s": 20, "quota": 5},
    {"kind": "price_change", "at_s": 20, "item": 1, "percent": 50},
    {"kind": "sold_out", "at_s": 40, "item": 3},
    {"kind": "restock", "at_s": 50, "item": 3, "pieces": 4},
    {"kind": "item_switch", "at_s": 60, "item": 2},
    {"kind": "delist", "at_s": 70, "item": 1},
]


def test_beats_become_events_in_order_of_time() -> None:
    script = scenario(beats=BEATS)
    now = open_stream(script, 1)
    links, before = now.catalog.links, now.catalog.products[0].list_price_fen
    now.on_air = links[0]
    log = []
    for at_s, entry in timeline(script, now):
        for event in happen(entry, script, links, now, at_s):
            now.apply(event)
            log.append(event)
    kinds = [type(event).__name__ for event in log]
    skus = sum(sku.startswith(f"{links[2]}:") for sku in now.stock)
    assert kinds == [
        "PromotionStarted",
        "PriceCorrected",
        "PromotionEnded",
        *["StockSet"] * (2 * skus),
        "ItemSwitched",
        "ItemDelisted",
    ]
    start = log[0]
    assert isinstance(start, ev.PromotionStarted)
    flash = start.promotion
    assert (flash.id, flash.kind, flash.link, flash.ends_s) == (flash_id(0), PromotionKind.FLASH, links[1], 30)
    assert log[1] == ev.PriceCorrected(20, links[0], before // 2 // 100 * 100)
    assert log[2].at_s == 30
    assert all(now.stock[sku] == 4 for sku in now.stock if sku.startswith(f"{links[2]}:"))
    assert now.on_air == links[1]
    assert now.catalog.links == links[1:]


def test_a_beat_of_a_delisted_item_does_nothing() -> None:
    script = scenario(beats=[{"kind": "delist", "at_s": 1}, {"kind": "sold_out", "at_s": 2}])
    now = open_stream(script, 1)
    links = now.catalog.links
    (first, delist), (second, sold_out) = timeline(script, now)
    for event in happen(delist, script, links, now, first):
        now.apply(event)
    assert happen(sold_out, script, links, now, second) == []


def test_a_flash_sale_is_announced_so_that_the_rush_starts_before_it() -> None:
    script = scenario(beats=BEATS)
    (burst,) = room_info(script, open_stream(script, 1)).bursts
    assert (burst.start_s, burst.end_s) == (0.0, 30.0)


def test_the_examples_of_the_repository_load() -> None:
    examples = sorted(Path(__file__).parents[2].glob("configs/scenarios/*.yaml"))
    assert examples
    for file in examples:
        assert load(file).name == file.stem
