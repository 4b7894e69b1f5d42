"""Viewers who ask one thing after the other, as an example of a plug-in."""

from livesim.seeding import stream
from livesim.types import Intent
from livesim.world.viewers import ViewerComment

NAMES = ("ada", "bob", "cleo")


class CuriousViewers:
    """Every few seconds somebody asks the price of an item; whoever got no right answer asks once more."""

    def __init__(self, every_s: str = "8") -> None:
        self.every_s = float(every_s)

    def reset(self, seed, room):
        self.rng = stream(seed, "viewers")
        self.next_s = self.every_s / 2

    def window(self, room, dt_s):
        acts = []
        while self.next_s < room.clock_s + dt_s:
            link = int(self.rng.choice(room.listed))
            name = NAMES[int(self.rng.integers(len(NAMES)))]
            acts.append(ViewerComment(name, f"how much is link {link}?", Intent.PRICE, link, at_s=self.next_s))
            self.next_s += self.every_s
        return acts

    def react(self, heard):
        if heard.correct and heard.useful:
            return []
        return [ViewerComment(c.viewer, f"so? {c.text}", c.intent, c.link, c.slots) for c in heard.comments[:1]]
