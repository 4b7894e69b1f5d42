"""``kept`` remembers by identity: equal but different objects are worked out anew, and the oldest goes first."""

from __future__ import annotations

from rewards.kept import kept


def test_the_same_object_is_worked_out_once_and_an_equal_one_again() -> None:
    seen: list[list[int]] = []

    @kept(2)
    def doubled(values: list[int]) -> list[int]:
        seen.append(values)
        return [2 * value for value in values]

    first, equal = [1, 2], [1, 2]
    assert doubled(first) is doubled(first)
    assert doubled(equal) == [2, 4]
    assert doubled(equal) is not doubled(first)
    assert [id(values) for values in seen] == [id(first), id(equal)]


def test_the_oldest_result_goes_first() -> None:
    calls = 0

    @kept(1)
    def counted(values: tuple[int, ...]) -> int:
        nonlocal calls
        calls += 1
        return sum(values)

    a, b = (1, 2), (3,)
    assert [counted(a), counted(a), counted(b), counted(a)] == [3, 3, 3, 3]
    assert calls == 3
