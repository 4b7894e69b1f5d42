"""``room_view``: what the host may see of the room without calling a tool; nothing hidden is in it."""

from __future__ import annotations

import dataclasses

from livesim.types import RoomItem, RoomView
from livesim.world.promotions import PromotionKind
from livesim.world.rules import profile
from livesim.world.state import Stream

DIALOGUE = 2
"""So many of the last replies are shown."""

ATTENDED = "this platform lets no AI host speak alone: call a human colleague before you reply"
"""Shown where avatars may not speak on their own, until a human was called."""


def room_view(stream: Stream) -> RoomView:
    """The public side of the stream in this second: no stock, no prices, no intents, no orders."""
    return RoomView(
        clock_s=round(stream.clock_s, 3),
        on_air=stream.on_air,
        items=tuple(RoomItem(product.link, product.title) for product in stream.catalog.products),
        viewers=stream.present,
        notices=_notices(stream),
        dialogue=tuple(spoken.text for spoken in stream.spoken[-DIALOGUE:]),
        platform=stream.platform,
    )


def room_dict(view: RoomView) -> dict[str, object]:
    """The view as plain values, in the order of its fields."""
    values: dict[str, object] = {name: getattr(view, name) for name in _FIELDS}
    values["clock_s"] = float(view.clock_s)
    values["items"] = tuple({"link": item.link, "title": item.title} for item in view.items)
    return values


_FIELDS = tuple(field.name for field in dataclasses.fields(RoomView))


def hms(seconds: float) -> str:
    """Stream time as a clock: ``"00:12:05"``."""
    whole = max(0, int(seconds))
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def _notices(stream: Stream) -> tuple[str, ...]:
    """Public banners: what the platform asks for, notices of the shop, running flash sales and when they end."""
    lines = list(stream.notices)
    if not profile(stream.platform).autonomous and not stream.attended:
        lines.insert(0, ATTENDED)
    for promotion in stream.promotions:
        if promotion.kind is PromotionKind.FLASH and promotion.active(stream.clock_s, stream.used):
            where = "all links" if promotion.link is None else f"link {promotion.link}"
            until = "" if promotion.ends_s is None else f" until {hms(promotion.ends_s)}"
            lines.append(f"flash sale on {where}{until}")
    return tuple(lines)
