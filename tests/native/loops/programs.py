"""Random small concurrent programs, full of loops, as data.

A statement is a list, its kind first:
  ["load", register, x, order]                        ["store", x, order, expression]
  ["rmw", function, register, x, order, expression]   function: exchange, fetch_add, fetch_or, fetch_and, fetch_sub, fetch_xor
  ["cas", ok, x, success, failure, expected, expression, weak]
  ["fence", order]                                    ["plain-load", register, p]    ["plain-store", p, expression]
  ["lock", m]  ["unlock", m]  ["try", register, m]    (register = 1: locked)
  ["set", register, expression]                       ["assert", condition]
  ["if", condition, body, otherwise]
  ["for", counter, turns, body]                       counted: for (counter = 0; counter < turns; counter++)
  ["ever", body]                                      for (;;)
  ["do", body, condition]                             do … while (condition)
  ["call", register, helper, argument]                the helper may change the register `argument` (None: none)
  ["break"]  ["continue"]  ["return"]                 of a helper: ["return", expression]
An expression is a number, a register, or [register, number]: their sum. A condition is [operator, register, expression].
A counter is ["register" | "stack" | "bumped" | "global" | "atomic" | "atomic-add", name].
"""
import copy
import random

ATOMICS = ["x0", "x1", "x2", "x3"]
PLAINS = ["d0", "n0", "n1", "n2"]  # data, and a node of each thread
MUTEXES = ["m0"]
RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = range(6)
BODIES = {"if": (2, 3), "for": (3,), "ever": (1,), "do": (1,)}  # where a statement has its bodies
OPERATIONS = {"load", "store", "rmw", "cas", "fence", "lock", "unlock", "try", "call"}


class Program:
    def __init__(self):
        self.threads = []  # bodies
        self.helpers = {}  # name: [attribute, body]; the parameter is the register "A"
        self.shown = []  # of each thread: registers that are in the outcome
        self.initial = {}  # of atomics
        self.stacked = []  # of each thread: registers whose address is taken
        self.bound = 2  # of --loop-bound
        self.counters_shown = False  # those in memory
        self.in_memory = []  # of each thread: whether it leaves its results in memory, not in its return value

    def copy(self):
        return copy.deepcopy(self)

    def bodies(self):
        return self.threads + [helper[1] for helper in self.helpers.values()]

    def is_counted(self):
        """Whether each loop ends after a fixed number of turns."""
        return not any(s[0] in ("ever", "do") for body in self.bodies() for s in walk(body))

    def has_kind(self, *kinds):
        return any(s[0] in kinds for body in self.bodies() for s in walk(body))

    def visits(self, turns):
        """How often a thread may come to a place if a loop that is not counted turns `turns` times."""
        def of(body, times):
            most, calls = times, {}
            for s in body:
                if s[0] == "call":
                    calls[s[2]] = calls.get(s[2], 0) + times
                    most = max(most, of(self.helpers[s[2]][1], calls[s[2]]))
                for index in BODIES.get(s[0], ()):
                    inner = of(s[index], times * (s[2] if s[0] == "for" else turns if s[0] in ("ever", "do") else 1))
                    most = max(most, inner)
            return most
        calls_everywhere = max([1] + [sum(s[0] == "call" for s in walk(body)) for body in self.threads])
        return max(of(body, 1) for body in self.threads) * calls_everywhere


def walk(body):
    for s in body:
        yield s
        for index in BODIES.get(s[0], ()):
            yield from walk(s[index])


def registers(body):
    """In order of their first appearance."""
    found = []

    def add(e):
        if isinstance(e, list):
            e = e[0]
        if isinstance(e, str) and e not in found:
            found.append(e)
    for s in walk(body):
        kind = s[0]
        if kind in ("load", "plain-load", "try"):
            add(s[1])
        elif kind == "store":
            add(s[3])
        elif kind == "rmw":
            add(s[2]), add(s[5])
        elif kind == "cas":
            add(s[1]), add(s[5]), add(s[6])
        elif kind == "plain-store":
            add(s[2])
        elif kind == "set":
            add(s[1]), add(s[2])
        elif kind in ("if", "assert"):
            add(s[1][1]), add(s[1][2])
        elif kind == "do":
            add(s[2][1]), add(s[2][2])
        elif kind == "for":
            if s[1][0] in ("register", "stack", "bumped"):
                add(s[1][1])
        elif kind == "call":
            add(s[1]), add(s[3])
        elif kind == "return" and len(s) > 1:
            add(s[1])
    return found


class Generator:
    def __init__(self, seed, index):
        self.rng = random.Random(f"{seed}/{index}")
        self.program = Program()
        self.registers = 0

    # Parts

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

    # Loops

    def loop(self, t):
        kinds = ["count_continue", "count_continue", "count_break", "wait", "cas_expected", "cas_expected", "cas_reload", "cas_once_read", "exchange", "store_wait",
                 "hazard", "debug", "helper", "helper", "nested", "tries", "random", "random", "sum", "weak", "node", "two_reads", "mix", "early", "handshake",
                 "queue", "sequence", "ticket", "readers", "changed", "states", "restored", "wait_for_node"]
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
        self.program.helpers[name] = [self.pick("noinline", "noinline", "inline"), body]
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

    # The whole

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
        self.counters = 0
        self.locks = self.chance(.2)
        for body in self.messages() if self.chance(.4) else self.anything():
            p.threads.append(body)
            found = registers(body)
            hidden = self.pick(0, .3, .6)
            p.shown.append([r for r in found if self.rng.random() >= hidden][:12])
            p.stacked.append([r for r in found if self.chance(.06)])
            p.in_memory.append(self.chance(.25))
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
