"""The kinds of loops, a method each."""
from parts import Parts
from programs import ACQUIRE


class Kinds(Parts):
    def loop(self, t):
        kinds = ["count_continue", "count_continue", "count_break", "wait", "cas_expected", "cas_expected", "cas_reload", "cas_once_read", "exchange", "store_wait",
                 "hazard", "debug", "helper", "helper", "nested", "tries", "random", "random", "sum", "weak", "node", "two_reads", "mix", "early", "handshake",
                 "queue", "sequence", "ticket", "readers", "changed", "states", "restored", "wait_for_node", "counted_in_wait", "retry_in_wait", "two_exchanges", "helper", "flag", "flag", "give_back"]
        if self.locks:
            kinds += ["lock_poll", "try_lock", "spin_then_lock"] * 3
        return getattr(self, self.rng.choice(kinds))(t)

    def count_continue(self, t):
        r = self.register()
        body = [self.load("x0", r)] + self.extra(t) * self.chance(.3)
        body += [["if", self.condition(r), [["continue"]], []], self.write(self.pick("x1", "x2"), self.pick(1, 1, 2, r))] + self.extra(t) * self.chance(.3)
        return [["for", self.counter(t), self.pick(2, 3), body]]

    def count_break(self, t):
        r = self.register()
        return [["for", self.counter(t), self.pick(2, 3), [self.load("x0", r)] + self.extra(t) + [["if", self.condition(r), [["break"]], []]] + self.extra(t)]]

    def wait(self, t):
        r = self.register()
        body = [self.load("x0", r)] + self.extra(t)
        if self.chance(.5):
            return [["do", body, self.condition(r)]]
        return [["ever", body + [["if", self.condition(r), [["break"]], []]] + self.extra(t)]]

    def cas_expected(self, t):
        seen, ok = self.register(), self.register()
        first = [self.load("x0", seen)] if self.chance(.8) else [["set", seen, self.value()]]
        body = self.extra(t) + [self.cas("x0", ok, seen, self.pick(3, [seen, 1], 0, 1))]
        return first + [["do", body, ["==", ok, 0]] if self.chance(.6) else self.turns(body + [["if", ["==", ok, 1], [["break"]], []]] + self.extra(t), t)]

    def node(self, t):
        seen, ok = self.register(), self.register()
        body = [["plain-store", f"n{t}", [seen, 1]] if self.chance(.7) else self.store("x3", [seen, 1])] + self.extra(t) * self.chance(.3)
        body.append(self.cas("x0", ok, seen, 3))
        return [self.load("x0", seen), ["do", body, ["==", ok, 0]]]

    def cas_reload(self, t):
        seen, ok = self.register(), self.register()
        body = [self.load("x0", seen)] + self.extra(t)
        if self.chance(.5):
            body.append(["if", self.condition(seen), [self.pick(["continue"], ["continue"], ["break"], ["return"])], []])
        body += [self.cas("x0", ok, seen, self.pick(3, [seen, 1]))]
        return [self.turns(body + [["if", ["==", ok, 1], [["break"]], []]] + self.extra(t) * self.chance(.4), t)]

    def cas_once_read(self, t):
        seen, ok, expected = self.register(), self.register(), self.register()
        body = [["set", expected, seen], self.cas("x0", ok, expected, self.pick(3, [seen, 1])), ["if", ["==", ok, 1], [["break"]], []]] + self.extra(t)
        return [self.load("x0", seen), self.turns(body, t, counted=self.chance(.7))]

    def exchange(self, t):
        r = self.register()
        body = [["rmw", "exchange", r, "x0", self.rmw_order(), 1]] + self.extra(t)
        return [["do", body, ["!=", r, 0]]] + self.straight(t, 1) + [self.store("x0", 0)]

    def store_wait(self, t):
        r = self.register()
        body = [self.load("x0", r), ["if", self.condition(r), [["break"]], []], self.store(self.pick("x2", "x2", "x1"), 1)]
        return [self.turns(body + self.extra(t) * self.chance(.4), t, counted=self.chance(.3))]

    def hazard(self, t):
        seen, again = self.register(), self.register()
        body = [self.load("x0", seen), self.store("x2", [seen, 1])] + [self.fence()] * self.chance(.4) + [self.load("x0", again)]
        return [["do", body, ["!=", seen, again]]] if self.chance(.6) else [self.turns(body + [["if", ["==", seen, again], [["break"]], []]], t)]

    def debug(self, t):
        r = self.register()
        body = [self.store("x2", 1), self.load("x0", r)] + self.extra(t) * self.chance(.3) + [self.store("x2", 0), ["if", self.condition(r), [["break"]], []]]
        return [self.turns(body, t)]

    def flag(self, t):
        """A flag of the thread's own is set and reset in a turn. (The generator lets others look at it sometimes.)"""
        r, ok, flag = self.register(), self.register(), f"c{t}_{self.pick(0, 1)}"
        self.flags.append((t, flag))
        on, off = self.pick((self.store(flag, 1), self.store(flag, 0)), (self.store(flag, 1), self.store(flag, 0)),
                            *[tuple(["rmw", name, self.register(), flag, self.rmw_order(), value] for value in values) for name, values in (("exchange", (1, 0)), ("fetch_xor", (1, 1)))])
        look = [self.load(flag)] * self.chance(.2)
        if self.chance(.15):
            off = self.store(flag, self.pick(1, 2, r))
        if self.chance(.4):
            body = [self.load("x0", r), ["if", self.condition(r), [["break"]], []], on] + self.extra(t) * self.chance(.3) + look + [off]
        elif self.chance(.5):
            body = [on, self.load("x0", r)] + self.extra(t) * self.chance(.3) + [self.cas("x0", ok, r, self.pick(3, [r, 1])), ["if", ["==", ok, 1], [["break"]], []]] + look + [off]
        else:
            body = [self.load("x0", r), ["if", self.condition(r), [on] + look + [off], []], self.load("x1", ok), ["if", self.condition(ok), [["break"]], []]]
        return [self.turns(body, t)] + [self.load(flag)] * self.chance(.2)

    def helper(self, t):
        name, got, argument = f"try{t}_{len(self.program.helpers)}", self.register(), None
        r = self.register()
        kind = self.pick("cas", "cas", "load", "exchange", "expected") if not self.locks else self.pick("cas", "lock", "lock")
        if kind == "cas":
            ok = self.register()
            body = [self.load("x0", r), ["if", self.condition(r), [["return", 0]], []]] + self.extra(t) + [self.cas("x0", ok, r, [r, 1]), ["return", ok]]
        elif kind == "expected":
            ok, argument = self.register(), self.register()
            body = [self.cas("x0", ok, "A", 3), ["return", ok]]
        elif kind == "load":
            body = [self.load("x0", r), ["if", ["==", r, self.value()], [["return", 0]], []]] + self.extra(t) + [["return", 1]]
        elif kind == "exchange":
            body = [["rmw", "exchange", r, "x0", self.rmw_order(), 1], ["return", r]]
        else:
            body = self.try_once([self.load("x0", r)]) + [["return", self.pick(r, r, 0)]]
        self.program.helpers[name] = [self.pick("noinline", "noinline", "inline", "lambda", "lambda"), body]
        outer = [["call", got, name, argument], ["if", ["!=", got, 0], [["break"]], []]] + self.extra(t)
        return [self.turns(outer, t)] + [["call", self.register(), name, argument]] * self.chance(.15)

    def nested(self, t):
        r, q = self.register(), self.register()
        inner = self.pick("wait", "count", "count")
        if inner == "wait":
            nested = ["ever", [self.load("x0", r), ["if", self.condition(r), [["break"]], []]] + self.extra(t) * self.chance(.3)]
        else:
            nested = ["for", self.counter(t), 2, [self.load("x0", r), ["if", self.condition(r), [self.pick(["break"], ["continue"])], []], self.write("x2", 1)]]
        body = [nested, self.pick(self.write("x1", self.pick(1, q)), self.load("x1", q), ["if", self.condition(r), [["continue"]], [["break"]]])]
        return [["for", self.counter(t), 2, body]]

    def counted_in_wait(self, t):
        r, q = self.register(), self.register()
        inner = [self.load("x1", q), ["if", self.condition(q), [self.pick(["break"], ["continue"], ["return"])], []]] + self.extra(t) * self.chance(.5)
        body = [["for", self.counter(t), 2, inner], self.load("x0", r)]
        return [["do", body, self.condition(r)]] if self.chance(.5) else [["ever", body + [["if", self.condition(r), [["break"]], []]]]]

    def retry_in_wait(self, t):
        r, seen, ok = self.register(), self.register(), self.register()
        inner = ["do", [self.cas("x1", ok, seen, [seen, 1])], ["==", ok, 0]]
        return [["do", [self.load("x1", seen), inner, self.load("x0", r)], self.condition(r)]]

    def two_exchanges(self, t):
        """Retries with one of two compare-exchanges, as the value read decides."""
        seen, ok = self.register(), self.register()
        body = [["if", self.condition(seen), [self.cas("x0", ok, seen, 3)], [self.cas("x0", ok, seen, self.pick(1, [seen, 1]))]]] + self.extra(t) * self.chance(.3)
        return [self.load("x0", seen), ["do", body, ["==", ok, 0]]]

    def tries(self, t):
        """Gives up after some tries; the counter is in the body."""
        r, c = self.register(), self.register()
        body = [self.load("x0", r), ["if", self.condition(r), [["break"]], []], ["set", c, [c, 1]], ["if", ["==", c, 2], [self.pick(["break"], ["return"], ["break"])], []]]
        return [["ever", body + self.extra(t)]]

    def random(self, t):
        r = self.register()
        body = [self.load(self.pick("x0", "x1"), r)] + self.straight(t, self.pick(0, 1))
        for _ in range(self.pick(1, 1, 2)):
            leave = [["break"], ["continue"], ["return"], ["set", self.register(), self.value()], self.write(self.pick("x1", "x2"), 1)]
            body.append(["if", self.condition(r), [self.rng.choice(leave)], [self.rng.choice(leave)] if self.chance(.25) else []])
            if self.chance(.5):
                body += self.straight(t, 1)
        return [["for", self.counter(t), 2, body]] if self.chance(.75) else [["do", body, self.condition(r)]]

    def sum(self, t):
        r, total = self.register(), self.register()
        return [["for", self.counter(t), self.pick(2, 3), [self.load("x0", r), ["if", ["!=", r, 0], [["set", total, [total, 1]]], []]] + self.extra(t) * self.chance(.4)]]

    def weak(self, t):
        e, ok = self.register(), self.register()
        body = [["set", e, 0]] * self.chance(.5) + [self.cas("x0", ok, e, self.pick(1, 3), weak=True), ["if", ["==", ok, 1], [["break"]], []]] + self.extra(t) * self.chance(.5)
        return [self.turns(body, t)]

    def two_reads(self, t):
        r, q = self.register(), self.register()
        body = [self.load("x0", r), self.load("x1", q), ["if", self.condition(r), [["if", self.condition(q), [["break"]], []]], []]]
        return [self.turns(body, t)]

    def mix(self, t):
        """A compare-exchange of another variable than the one that is read."""
        seen, ok, f = self.register(), self.register(), self.register()
        body = [self.load("x0", seen), self.cas("x1", ok, seen, [seen, 1]), ["set", f, self.pick(1, ok)]]
        return [["do", body, ["==", ok, 0]]] if self.chance(.6) else [self.turns(body + [["if", ["==", ok, 1], [["break"]], []]], t)]

    def early(self, t):
        r = self.register()
        return [self.turns([self.load("x0", r), ["if", self.condition(r), [["return"]], []], self.store("x2", self.pick(1, [r, 1]))], t, counted=self.chance(.8))] + self.straight(t, 1)

    def handshake(self, t):
        """Asks and waits for an answer."""
        mine, other = ("x1", "x2") if t % 2 else ("x2", "x1")
        r = self.register()
        return [self.store(mine, 1), self.turns([self.load(other, r), ["if", ["!=", r, 0], [["break"]], []]] + [self.store(mine, 1)] * self.chance(.3), t)] + [self.store(mine, 0)] * self.chance(.4)

    def queue(self, t):
        """Helps another thread on, or adds its own."""
        tail, following, ok, zero = (self.register() for _ in range(4))
        help_on = [self.cas("x0", self.register(), tail, following)]
        body = [self.load("x0", tail), self.load("x1", following), ["if", ["!=", following, 0], help_on + [["continue"]], []],
                ["set", zero, 0], self.cas("x1", ok, zero, 1), ["if", ["==", ok, 1], [["break"]], []]]
        return [self.turns(body, t)]

    def sequence(self, t):
        """The reader of a sequence lock."""
        before, data, after = (self.register() for _ in range(3))
        body = [self.load("x0", before), ["if", ["==", before, 1], [["continue"]], []], self.load("x1", data)] + [["fence", ACQUIRE]] * self.chance(.4)
        body += [self.load("x0", after), ["if", ["==", before, after], [["break"]], []]]
        return [self.turns(body, t)]

    def ticket(self, t):
        mine, r = self.register(), self.register()
        return [["rmw", "fetch_add", mine, "x1", self.rmw_order(), 1], ["do", [self.load("x0", r)] + self.extra(t) * self.chance(.3), ["!=", r, mine]]] \
            + [self.pick(["plain-store", "d0", 1], self.store("x2", 1))] + [self.store("x0", [mine, 1])]

    def readers(self, t):
        """Comes in, looks, goes out."""
        r, q = self.register(), self.register()
        body = [["rmw", "fetch_add", q, "x2", self.rmw_order(), 1], self.load("x0", r), ["rmw", "fetch_sub", self.register(), "x2", self.rmw_order(), 1]]
        return [self.turns(body + [["if", self.condition(r), [["break"]], []]], t)]

    def changed(self, t):
        """Until the value is another one than before, or the same."""
        r, old = self.register(), self.register()
        return [["do", [["set", old, r], self.load("x0", r)] + self.extra(t), [self.pick("==", "!="), r, old]]]

    def states(self, t):
        state, r = self.register(), self.register()
        body = [self.load("x0", r), ["if", ["==", state, 0], [["if", self.condition(r), [["set", state, 1]], []], ["continue"]], []], self.write("x1", 1)] + self.extra(t)
        return [self.turns(body + [["break"]], t)]

    def restored(self, t):
        """Takes a value away and puts it back."""
        r = self.register()
        body = [["rmw", "exchange", r, "x0", self.rmw_order(), 0], ["if", self.condition(r), [["break"]], []], self.store("x0", r)] + self.extra(t) * self.chance(.3)
        return [self.turns(body, t)]

    def give_back(self, t, x="x0"):
        """Takes something; if there was too little, gives it back, perhaps waits, and tries again."""
        had, seen = self.register(), self.register()
        amount = self.pick(1, 1, 1, 2, 3)
        take, put = self.pair(x, amount)
        take[2] = had
        if self.chance(.06):
            put[5] += self.pick(1, -1)
        enough = self.condition(had)
        wait = [["do", [["load", seen, x, self.load_order()]], self.condition(seen)]] if self.chance(.35) else []
        extra = self.extra(t) * self.chance(.15)
        z = self.rng.random()
        if z < .25:  # the first try is elsewhere in the code
            return [take, ["ever", [["if", enough, [["break"]], []], put] + wait + extra + [list(take)]]]
        if z < .37:  # who waits looks, and takes and gives back whatever it sees
            return [["do", self.pick([["load", had, x, self.load_order()], self.pair(x, amount)[0], put], [*self.pair(x, amount), ["load", had, x, self.load_order()]]), enough]]
        if z < .47:  # takes twice, or with another pair inside
            return [["ever", [take, ["if", enough, [["break"]], []], put, *self.pair(x, self.pick(1, 2))] + wait]]
        if z < .53:
            inner = self.pair(x, self.pick(1, 2))
            return [["ever", [take, ["if", enough, [["break"]], []], *inner, put] + wait]]
        return [["ever", [take, ["if", enough, [["break"]], []], put] + extra + wait]]

    def take_enough(self, x="x0"):
        """Like a lock that counts: takes while there is too little. What it has had matters in one way only."""
        had, seen, least = self.register(), self.register(), self.pick(1, 1, 2)
        take, put = (["rmw", kind, self.register(), x, self.rmw_order(), self.pick(least, 1)] for kind in ("fetch_sub", "fetch_add"))
        take[2], put[5] = had, take[5]
        wait = [["do", [["load", seen, x, self.load_order()]], ["<", seen, least]]] if self.chance(.6) else []
        if self.chance(.3):
            return [take, ["ever", [["if", ["<", had, least], [put] + wait + [list(take)], [["break"]]]]]]
        return [["ever", [take, ["if", ["<", had, least], [put] + wait, [["break"]]]]]]

    def pair(self, x, amount):
        """Two read-modify-writes that cancel out."""
        kinds = self.pick(["fetch_sub", "fetch_add"], ["fetch_sub", "fetch_add"], ["fetch_add", "fetch_sub"])
        return [["rmw", kind, self.register(), x, self.rmw_order(), amount] for kind in kinds]

    def try_to_take(self, t, x="x0"):
        """One try; who has not got it does something else."""
        had = self.register()
        take, put = self.pair(x, self.pick(1, 1, 2))
        take[2] = had
        return [take, ["if", self.condition(had), [self.pick(["set", self.register(), 1], self.store("x1", 1))], [put] + self.pick([], [self.store("x2", 1)])]]

    def wait_for_node(self, t):
        r, other = self.register(), (t + 1) % 2
        body = [self.load("x0", r)] + self.extra(t) * self.chance(.4) + [["if", ["==", r, 3], [["plain-load", self.register(), f"n{other}"], ["break"]], []]]
        return [self.turns(body, t)]

    def spin_then_lock(self, t):
        got = self.register()
        body = [["try", got, "m0"], ["if", ["==", got, 1], [["break"]], []]] + self.extra(t)
        return [["for", self.counter(t), 2, body], ["if", ["==", got, 0], [["lock", "m0"]], []], self.pick(["plain-store", "d0", 1], self.write("x1", 1)), ["unlock", "m0"]]

    def lock_poll(self, t):
        r = self.register()
        inside = [self.load("x0", r)] if self.chance(.5) else [["plain-load", r, "d0"]]
        if self.chance(.3):
            inside.append(self.pick(self.store("x1", 1), ["plain-store", "d0", 1]))
        return [self.turns([["lock", "m0"]] + inside + [["unlock", "m0"], ["if", ["!=", r, 0], [["break"]], []]] + self.extra(t) * self.chance(.3), t)]

    def try_lock(self, t):
        got = self.register()
        inside = self.pick(self.store("x1", 1), ["plain-store", "d0", 1], self.load("x0"))
        return [self.turns([["try", got, "m0"], ["if", ["==", got, 1], [inside, ["unlock", "m0"], self.pick(["break"], ["break"], ["continue"])], []]] + self.extra(t), t)]
