"""Whole programs at random."""
from kinds import Kinds
from programs import ATOMICS, registers, walk


class Generator(Kinds):
    def anything(self):
        count = self.pick(2, 2, 2, 3)
        for t in range(count):
            body = self.straight(t, self.pick(0, 0, 1))
            if t == 0 or self.chance(.4 if count == 2 else .2):
                body += self.loop(t) + self.straight(t, self.pick(0, 1, 1))
                if self.chance(.2):
                    body.append(["plain-load", self.register(), "d0"])
                if t == 0 and self.chance(.2):
                    body += self.loop(t)
            else:
                body += self.straight(t, self.pick(1, 2, 3, 3) if count == 2 else self.pick(1, 1, 2))
                if not any(s[0] in ("store", "rmw", "cas") and "x0" in s for s in walk(body)):
                    body.append(self.write("x0", self.pick(1, 1, 2)))
                if self.chance(.3):
                    body.append(self.load(self.pick("x1", "x2")))
                elif self.chance(.25):
                    body.insert(0, ["plain-store", "d0", 1])
            yield body

    def messages(self):
        """One thread has a loop; the others can see whether a turn of it, its synchronisation or a store was lost."""
        before = [self.store("x1", 1)] * self.chance(.25) + [self.store("x2", 1)] * self.chance(.3)
        behind = [["plain-load", self.register(), "d0"]] if self.chance(.3) else [self.load(self.pick("x1", "x1", "x2"))]
        yield before + self.loop(0) + behind
        sender = ([["plain-store", "d0", 1] if self.chance(.35) else self.store("x1", 1)] if self.chance(.85) else [])
        for value in self.pick([1], [1], [1, 2], [2], [1, 0], [3, 1]):
            sender.append(self.store("x0", value) if self.chance(.8) else ["rmw", "exchange", self.register(), "x0", self.rmw_order(), value])
        yield sender + self.sight() * self.chance(.6)
        if self.chance(.5):
            z = self.rng.random()
            if z < .3:
                seen = self.register()
                yield [["load", seen, "x0", self.load_order()], ["if", ["==", seen, 3], [["plain-load", self.register(), "n0"] if self.chance(.6) else self.load("x3")], []]]
            elif z < .5 and self.locks:
                yield [["lock", "m0"], self.load("x1"), ["unlock", "m0"]] if self.chance(.5) else self.try_once([self.write("x1", 1)])
            elif z < .75:
                yield self.sight() + self.sight()[:1]
            else:
                yield [self.store("x1", 1), self.load("x0")]

    def sight(self):
        return self.pick([self.load("x2")], [self.load("x2"), self.load("x1")], [self.store("x2", 2)], [self.load("x2"), self.load("x2")], [self.load("x0")],
                         [self.fence(), self.load("x2")])

    def make(self):
        p = self.program
        self.counters, self.flags = 0, []
        self.locks = self.chance(.2)
        for t, body in enumerate(self.messages() if self.chance(.4) else self.anything()):
            others = [flag for thread, flag in self.flags if thread != t]
            if others and self.chance(.35):
                seen = self.load(self.pick(*others)) if self.chance(.9) else ["plain-load", self.register(), self.pick(*others)]
                body.insert(self.rng.randint(0, len(body)), seen)
            p.threads.append(body)
            found = registers(body)
            hidden = self.pick(0, .3, .6)
            p.shown.append([r for r in found if self.rng.random() >= hidden][:12])
            p.stacked.append([r for r in found if self.chance(.06)])
            p.in_memory.append(self.chance(.5))
        if self.chance(.08):
            seen = [(t, r) for t, shown in enumerate(p.shown) for r in shown]
            if seen:
                t, r = self.rng.choice(seen)
                p.threads[t].append(["assert", [self.pick("==", "!="), r, self.value()]])
        for x in ATOMICS[:2]:
            if self.chance(.12):
                p.initial[x] = self.pick(1, 2)
        p.counters_shown = self.chance(.5)
        p.bound = min(4, max(self.pick(2, 2, 3), p.visits(1)))
        return p


def make(seed, index):
    return Generator(seed, index).make()
