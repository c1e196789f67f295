"""Statements and short sequences of them, at random: what programs are made of (programs.py says how they are written)."""
import random

from programs import ACQ_REL, ACQUIRE, CONSUME, RELAXED, RELEASE, SEQ_CST, Program


class Parts:
    def __init__(self, seed, index):
        self.rng = random.Random(f"{seed}/{index}")
        self.program = Program()
        self.registers = 0

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *choices):
        return self.rng.choice(choices)

    def register(self):
        self.registers += 1
        return f"r{self.registers}"

    def load_order(self):
        return self.pick(RELAXED, RELAXED, ACQUIRE, ACQUIRE, SEQ_CST) if not self.chance(.03) else CONSUME

    def store_order(self):
        return self.pick(RELAXED, RELAXED, RELEASE, RELEASE, SEQ_CST)

    def rmw_order(self):
        return self.pick(RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST)

    def value(self):
        return self.pick(0, 1, 1, 2)

    def load(self, x, register=None):
        register = register or self.register()
        if self.chance(.07):
            return ["rmw", self.pick("fetch_or", "fetch_add"), register, x, self.rmw_order(), 0]
        return ["load", register, x, self.load_order()]

    def store(self, x, value):
        return ["store", x, self.store_order(), value]

    def write(self, x, value):
        """A store, or a read-modify-write."""
        if self.chance(.6):
            return self.store(x, value)
        return ["rmw", self.pick("exchange", "exchange", "fetch_add", "fetch_or", "fetch_xor"), self.register(), x, self.rmw_order(), value]

    def fence(self):
        return ["fence", self.pick(ACQUIRE, RELEASE, ACQ_REL, SEQ_CST)]

    def cas(self, x, ok, expected, value, weak=None):
        return ["cas", ok, x, self.rmw_order(), self.load_order() if self.chance(.9) else RELAXED, expected, value, self.chance(.35) if weak is None else weak]

    def counter(self, thread):
        kind = self.pick("register", "register", "register", "stack", "bumped", "global", "atomic", "atomic-add")
        if kind in ("register", "stack", "bumped"):
            return [kind, self.register()]
        self.counters += 1
        return [kind, f"{'g' if kind == 'global' else 'c'}{thread}_{self.counters % 2}"]

    def condition(self, register):
        operator = self.pick("==", "!=", "==", "!=", "<")
        return [operator, register, self.value() if operator != "<" else self.pick(1, 2)]

    def extra(self, thread, most=1):
        """What may stand in a loop besides its purpose."""
        out = []
        for _ in range(self.rng.randint(0, most)):
            z = self.rng.random()
            if z < .20:
                out.append(self.load(self.pick("x1", "x2")))
            elif z < .28:
                out.append(self.load("x0"))
            elif z < .42:
                out.append(self.fence())
            elif z < .58:
                out.append(self.store("x2", 1))
            elif z < .66:
                out += [self.store("x2", 1), self.store("x2", 0)]  # a flag that says where the thread is
            elif z < .74:
                out.append(self.write("x1", self.value()))
            elif z < .82:
                out.append(["plain-store", f"n{thread}", self.value()])
            elif z < .88:
                out.append(["plain-load", self.register(), "d0"])
            elif z < .94:
                out.append(["rmw", self.pick("fetch_or", "fetch_add"), self.register(), "x1", self.rmw_order(), 0])
            elif self.locks:
                out += [["lock", "m0"], self.load("x1"), ["unlock", "m0"]]
        return out

    def straight(self, thread, length):
        out = []
        for _ in range(length):
            z = self.rng.random()
            x = self.pick("x0", "x0", "x1", "x2")
            if z < .40:
                out.append(self.store(x, self.value()))
            elif z < .55:
                out.append(self.load(x))
            elif z < .65:
                out.append(["rmw", self.pick("exchange", "fetch_add", "fetch_xor"), self.register(), x, self.rmw_order(), self.value()])
            elif z < .73:
                expected = self.register()
                out += [["set", expected, self.value()], self.cas(x, self.register(), expected, self.value())]
            elif z < .79:
                out.append(self.fence())
            elif z < .87:
                out.append(self.pick(["plain-store", "d0", self.value()], ["plain-load", self.register(), "d0"]))
            elif z < .92:
                node, seen = self.pick("n0", "n1"), self.register()
                out += [["load", seen, "x0", self.pick(ACQUIRE, ACQUIRE, RELAXED)], ["if", ["==", seen, 3], [["plain-load", self.register(), node]], []]]
            elif self.locks:
                inside = self.pick(self.store(x, self.value()), ["plain-store", "d0", 1], ["plain-load", self.register(), "d0"], self.load(x))
                out += [["lock", "m0"], inside, ["unlock", "m0"]] if self.chance(.7) else self.try_once([inside])
        return out

    def try_once(self, inside):
        got = self.register()
        return [["try", got, "m0"], ["if", ["==", got, 1], inside + [["unlock", "m0"]], []]]

    def turns(self, body, counter_thread, counted=None):
        """The body in a loop of some kind; it has its own break."""
        if self.chance(.5) if counted is None else counted:
            return ["for", self.counter(counter_thread), self.pick(2, 2, 3), body]
        return ["ever", body]
