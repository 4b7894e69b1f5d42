"""Names of drawn viewers: the first forty, then the same again with a number."""

from __future__ import annotations

# fmt: off
NAMES = (
    "mia", "leo", "ana", "tom", "zoe", "max", "ivy", "sam", "lily", "noah",
    "ella", "finn", "ruby", "jack", "nora", "luke", "rosa", "owen", "jade", "carl",
    "emma", "theo", "clara", "hugo", "lena", "otto", "anna", "paul", "ida", "felix",
    "mona", "erik", "vera", "oscar", "lucy", "nina", "dean", "alma", "rolf", "tess",
)
# fmt: on


def name(number: int) -> str:
    """The name of the viewer with this number, from 0; no two are equal."""
    turn, place = divmod(number, len(NAMES))
    return f"{NAMES[place]}{turn}" if turn else NAMES[place]
