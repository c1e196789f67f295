"""Whole programs at random."""
import itertools

from joins import Joins
from programs import ATOMICS, registers, walk


class Generator(Joins):
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

    def pairs(self):
        """Threads that take something and give it back, others that may see it."""
        def behind(t, x):
            return self.pick([], [self.store(x, 1)], [["rmw", "fetch_add", self.register(), "x0", self.rmw_order(), self.pick(1, 2)]], self.try_to_take(t))
        calm = self.chance(.6)  # few care about what is taken for a while
        yield (self.take_enough() if calm else self.give_back(0)) + behind(0, "x1")
        if self.chance(.35):
            yield (self.take_enough() if calm else self.give_back(1, self.pick("x0", "x0", "x0", "x1"))) + behind(1, "x2")
        for t in range(self.pick(1, 1, 2)):
            body = []
            if self.chance(.25):
                r = self.register()
                body.append(["do", [["load", r, self.pick("x1", "x1", "x2"), self.load_order()]], ["==", r, 0]])
            for _ in range(self.pick(1, 2, 2)):
                body += self.add_to_pair() if calm and self.chance(.7) else self.look_at_pair(t)
            yield body

    def add_to_pair(self):
        r = self.register()
        if self.chance(.25):
            return [["do", [["load", r, "x0", self.load_order()]], ["<", r, self.pick(1, 2, 3)]]]
        if self.chance(.2):
            return [self.store(self.pick("x1", "x2"), 1), self.load(self.pick("x1", "x2"))]
        return [["rmw", "fetch_add", r, "x0", self.rmw_order(), self.pick(1, 2, 3)]]

    def look_at_pair(self, t):
        add = ["rmw", self.pick("fetch_add", "fetch_add", "fetch_sub"), self.register(), "x0", self.rmw_order(), self.pick(1, 1, 2)]
        r = self.register()
        z = self.rng.random()
        if z < .45:
            return [add]
        if z < .52:  # where it looks depends on what it had
            return [add, ["if", self.condition(add[2]), [["plain-load", r, "d0"]], []]]
        if z < .57:  # like a ticket
            return [add, ["do", [["load", r, "x1", self.load_order()]], ["!=", r, add[2]]]]
        if z < .65:
            return [["load", r, "x0", self.load_order()]]
        if z < .70:
            return [["load", r, "x0", self.load_order()], ["if", self.condition(r), [self.pick(["plain-load", self.register(), "d0"], self.store("x1", 1))], []]]
        if z < .79:
            return [["do", [["load", r, "x0", self.load_order()]] + [self.load("x1")] * self.chance(.2), self.condition(r)]]
        if z < .84:
            return [["set", r, self.value()], self.cas("x0", self.register(), r, self.value())]
        if z < .87:
            ok = self.register()
            return [["load", r, "x0", self.load_order()], ["do", [self.cas("x0", ok, r, [r, 1])], ["==", ok, 0]]]
        if z < .91:
            return self.try_to_take(t)
        if z < .94:
            return [["rmw", self.pick("exchange", "fetch_or", "fetch_and"), self.register(), "x0", self.rmw_order(), self.value()]]
        if z < .97:
            return [["plain-store", "d0", 1]]
        return [self.store(self.pick("x0", "x1"), self.value())]

    def sight(self):
        return self.pick([self.load("x2")], [self.load("x2"), self.load("x1")], [self.store("x2", 2)], [self.load("x2"), self.load("x2")], [self.load("x0")],
                         [self.fence(), self.load("x2")])

    def make(self, shape):
        p = self.program
        self.counters, self.flags = 0, []
        self.locks = self.chance(.2 if shape != "joins" else .1)
        bodies = getattr(self, shape or ("messages" if self.chance(.4) else "anything"))()
        for t, body in enumerate(itertools.islice(bodies, 3)):  # (main has room for three)
            others = [flag for thread, flag in self.flags if thread != t]
            if others and shape != "joins" and self.chance(.35):
                seen = self.load(self.pick(*others)) if self.chance(.9) else ["plain-load", self.register(), self.pick(*others)]
                body.insert(self.rng.randint(0, len(body)), seen)
            p.threads.append(body)
            found = registers(body)
            hidden = self.pick(0, .3, .6) if shape != "pairs" else self.pick(.3, .8, 1, 1)
            p.shown.append([r for r in found if self.rng.random() >= hidden][:12])
            p.stacked.append([r for r in found if self.chance(.06)])
            p.in_memory.append(self.chance(.5))
        if p.main is not None:
            p.main_shown = [r for r in registers(p.main) if self.chance(.3)][:12]
        if shape != "joins" and self.chance(.08):  # (an execution ends at a failed assertion, before a race)
            seen = [(t, r) for t, shown in enumerate(p.shown) for r in shown]
            if seen:
                t, r = self.rng.choice(seen)
                p.threads[t].append(["assert", [self.pick("==", "!="), r, self.value()]])
        for x in ATOMICS[:2]:
            if shape != "joins" and self.chance(.12):
                p.initial[x] = self.pick(1, 2)
        p.counters_shown = self.chance(.5)
        p.bound = min(4, max(self.pick(2, 2, 3) if shape != "pairs" else 3, p.visits(1)))
        return p


def make(seed, index, shape=None):
    return Generator(seed, index).make(shape)
