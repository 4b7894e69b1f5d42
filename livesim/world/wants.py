"""Draws what a parametric viewer wants and the line that says so; a pure function of seeds and the public room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from livesim.seeding import stream
from livesim.types import Intent
from livesim.world import comments
from livesim.world.cast import Cast
from livesim.world.comments import Reference
from livesim.world.dice import Dice
from livesim.world.needs import ABOUT_ITEM
from livesim.world.viewers import BURST_SHARES, ItemInfo, RoomInfo, RoomMoment, ViewerComment, ViewerConfig, Want

ASKED_AGAIN = ABOUT_ITEM | {Intent.AFTER_SALES}
"""Intents that a viewer repeats when they were not served."""


class Mix(NamedTuple):
    """What one kind of viewer asks.

    Attributes:
        sums: running sums of the weights of intents.
        sizes: share of size questions among those about an item.
    """

    sums: tuple[float, ...]
    sizes: float


class Tongue:
    """Turns seeds into comments.

    Args:
        config: shares and wording.
        seed: of the stream; decides only how its mix of intents differs from the configured one.
        room: public information on the stream.
        cast: the kinds of viewers; None: one kind.
    """

    def __init__(self, config: ViewerConfig, seed: int, room: RoomInfo, cast: Cast | None = None) -> None:
        self._config = config
        self._orders = room.orders
        self._items = {item.link: item for item in room.items}
        self._intents = tuple(config.intents)
        calm = np.array([config.intents[i] for i in self._intents], dtype=float)
        burst = calm * np.array([BURST_SHARES[i] for i in self._intents])
        burst = burst if burst.sum() > 0 else calm
        tilts = (cast or Cast(config)).tilts(self._intents)
        about = np.array([intent in ABOUT_ITEM for intent in self._intents])
        sizes = np.array([intent is Intent.SIZE for intent in self._intents])
        self._calm, self._burst = (
            tuple(
                Mix(tuple(accumulate(row.tolist())), float(row[sizes].sum() / max(row[about].sum(), 1e-12)))
                for row in _shares(weights, config.concentration, seed, name) * tilts
            )
            for weights, name in ((calm, "calm"), (burst, "burst"))
        )

    def intent(self, want_seed: int, persona: int, burst: bool) -> Intent:
        """What a comment with this seed is about, unless no listed item can be asked that."""
        return self._intents[Dice(want_seed).weigh((self._burst if burst else self._calm)[persona].sums)]

    def say(
        self,
        viewer: str,
        at_s: float,
        want_seed: int,
        word_seed: int,
        room: RoomMoment,
        burst: bool,
        persona: int = 0,
    ) -> ViewerComment:
        """The comment of ``viewer`` at ``at_s``.

        ``want_seed`` decides what is wanted, ``word_seed`` how it is said: viewers who share the first ask the same
        thing in their own words. ``persona`` is the index of the kind whose mix of intents counts.
        """
        config, dice, words = self._config, Dice(want_seed), Dice(word_seed)
        mix = (self._burst if burst else self._calm)[persona]
        want, reference = self._want(dice, words, room, mix)
        wants = [want]
        if dice.chance(config.multi_share):
            second, how = self._want(dice, words, room, mix)
            if second.intent is not want.intent and Intent.PARTICIPATION not in (second.intent, want.intent):
                # "show link 2, any coupon?" would be read as one item: a second half without a name has the first's
                if None not in (second.link, want.link) and (how is Reference.ELLIPTIC or dice.chance(0.7)):
                    second, how = self._refit(second, int(want.link or 0), dice), Reference.SAME
                wants.append(second)
        text = self._line(want, reference, words, plain=len(wants) > 1)
        if len(wants) > 1:
            text = comments.join(text, self._line(wants[1], how, words, plain=True))
        if words.chance(config.adversarial_share):
            text = comments.inject(text, words)
        return ViewerComment(viewer, text, want.intent, want.link, want.slots, at_s, tuple(wants[1:]))

    def another(self, comment: ViewerComment, at_s: float, dice: Dice) -> ViewerComment | None:
        """The same viewer's next line: it was another item that was meant; None where there is no other."""
        others = [link for link in self._items if link != comment.link]
        if comment.link is None or not others:
            return None
        want = self._refit(Want(comment.intent), dice.pick(others), dice)
        text = comments.correct(self._line(want, Reference.LINK, dice, plain=True), dice, self._config.wording)
        return ViewerComment(comment.viewer, text, want.intent, want.link, want.slots, at_s)

    def _line(self, want: Want, reference: Reference, words: Dice, plain: bool = False) -> str:
        item = None if want.link is None else self._items[want.link]
        typo = words.chance(self._config.typo_share)
        wording = self._config.wording
        return comments.word(want, words, item=item, reference=reference, wording=wording, typo=typo, plain=plain)

    def _want(self, dice: Dice, words: Dice, room: RoomMoment, mix: Mix) -> tuple[Want, Reference]:
        intent = self._intents[dice.weigh(mix.sums)]
        if intent in ABOUT_ITEM:
            listed = [self._items[link] for link in room.listed if link in self._items]
            sized = [item for item in listed if item.height_to_cm]
            taken = 0.0  # of the questions about an item by those that can't be about the one on air
            if intent is Intent.SIZE:
                listed, intent = (sized, intent) if sized else (listed, Intent.ATTRIBUTE)
            elif sized and self._config.behaviour is not None and all(item.link != room.on_air for item in sized):
                taken = mix.sizes
            if not listed:
                return Want(Intent.GREETING), Reference.NONE
            link, reference = self._target(dice, words, room.on_air, listed, taken)
            return self._ask(intent, self._items[link], dice), reference
        slots: dict[str, int | str] = {}
        if intent is Intent.AFTER_SALES:
            slots["order"] = dice.pick(self._orders) if self._orders else f"A{dice.between(1000, 9999)}"
        elif intent is Intent.CHITCHAT and dice.chance(0.25):
            slots["ai"] = "yes"
        return Want(intent, None, slots), Reference.NONE

    def _target(
        self, dice: Dice, words: Dice, on_air: int, listed: Sequence[ItemInfo], taken: float
    ) -> tuple[int, Reference]:
        """The item of a question and how it is named.

        The shares of questions without a name and about other items hold for all questions of a living room: where
        some (``taken``) are about another item anyway, fewer of the rest are.
        """
        config, mark = self._config, dice.share()
        elliptic = config.elliptic_share / (1.0 - taken)
        other = max(0.0, config.other_share - taken) / (1.0 - taken)
        others = [item.link for item in listed if item.link != on_air]
        shown = len(others) < len(listed)
        named = Reference.NAME if words.chance(config.named_share) else Reference.LINK
        if shown and (mark < elliptic or not others):
            return on_air, Reference.ELLIPTIC if mark < elliptic else named
        if not shown or mark < elliptic + other:
            return dice.pick(others), named
        return on_air, named

    def _ask(self, intent: Intent, item: ItemInfo, dice: Dice) -> Want:
        slots: dict[str, int | str] = {}
        detail = dice.chance(self._config.detail_share)
        if intent is Intent.ATTRIBUTE:
            slots["topic"] = dice.pick(item.topics) if item.topics else "material"
        elif intent is Intent.STOCK and item.options and not detail:
            slots["option"] = dice.pick(item.options)
        elif intent is Intent.SIZE:
            slots["height_cm"] = dice.between(148, max(150, item.height_to_cm))
            slots["weight_kg"] = dice.between(42, max(45, item.weight_to_kg))
        elif intent is Intent.PRICE and detail:
            slots["quantity"] = dice.between(2, 3)
        elif intent is Intent.RETURNS and detail:
            slots["topic"] = "warranty" if item.warranty and dice.chance(0.5) else "freight_insurance"
        return Want(intent, item.link, slots)

    def _refit(self, want: Want, link: int, dice: Dice) -> Want:
        """The same intent about another item; a size question about an item without sizes stays where it was."""
        item = self._items[link]
        if want.intent is Intent.SIZE and not item.height_to_cm:
            return self._ask(Intent.ATTRIBUTE, item, dice)
        return self._ask(want.intent, item, dice)


def _shares(weights: np.ndarray, concentration: float, seed: int, name: str) -> np.ndarray:
    """Weights varied by one Dirichlet draw for the stream; an intent of weight 0 stays at 0."""
    shares: np.ndarray = weights / weights.sum()
    if concentration > 0 and (shares > 0).sum() > 1:
        drawn = np.zeros_like(shares)
        drawn[shares > 0] = stream(seed, "viewers", "mix", name).dirichlet(shares[shares > 0] * concentration)
        shares = drawn
    return shares
