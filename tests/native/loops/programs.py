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
  ["spawn", t, given]                                 creates thread t; given: "&own", "given" or "0". What is not joined yet in the end is joined there
  ["join", t]                                         by the thread that has created it
A plain variable is one of PLAINS, "own" (on the thread's stack) or "*given" (what the thread was given a pointer to).
An expression is a number, a register, or [register, number]: their sum. A condition is [operator, register, expression].
A counter is ["register" | "stack" | "bumped" | "global" | "atomic" | "atomic-add", name].
"""
import copy

ATOMICS = ["x0", "x1", "x2", "x3"]
PLAINS = ["d0", "n0", "n1", "n2", "n3"]  # data, and a node of each thread
MUTEXES = ["m0"]
MAIN = 3  # the number of main, where it takes part
RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = range(6)
BODIES = {"if": (2, 3), "for": (3,), "ever": (1,), "do": (1,)}  # where a statement has its bodies
OPERATIONS = {"load", "store", "rmw", "cas", "fence", "lock", "unlock", "try", "call"}


class Program:
    def __init__(self):
        self.threads = []  # bodies
        self.main = None  # a body, if main does more than to create and to join all threads
        self.main_shown = []  # of main: registers that are in the outcome
        self.helpers = {}  # name: [attribute, body]; the parameter is the register "A"
        self.shown = []  # of each thread: registers that are in the outcome
        self.initial = {}  # of atomics
        self.stacked = []  # of each thread: registers whose address is taken
        self.bound = 2  # of --loop-bound
        self.counters_shown = False  # those in memory
        self.in_memory = []  # of each thread: whether it leaves its results in memory, not in its return value

    def copy(self):
        return copy.deepcopy(self)

    def of_threads(self):
        return self.threads + ([] if self.main is None else [self.main])

    def bodies(self):
        return self.of_threads() + [helper[1] for helper in self.helpers.values()]

    def is_counted(self):
        """Whether each loop ends after a fixed number of turns: it has a counter, and nothing else in it writes there."""
        return not self.changes_counters() and not any(s[0] in ("ever", "do") for body in self.bodies() for s in walk(body))

    def changes_counters(self):
        """Whether a counted loop, or one in it, changes its counter, too: written out it would be another program."""
        return any(s[0] == "for" and writes(s[3], s[1][1]) for body in self.bodies() for s in walk(body))

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
        calls_everywhere = max([1] + [sum(s[0] == "call" for s in walk(body)) for body in self.of_threads()])
        return max(of(body, 1) for body in self.of_threads()) * calls_everywhere


def walk(body):
    for s in body:
        yield s
        for index in BODIES.get(s[0], ()):
            yield from walk(s[index])


def writes(body, variable):
    """Whether a statement of it changes the variable, be it as the counter of a loop."""
    places = {"store": 1, "rmw": 3, "cas": 2, "plain-store": 1}
    return any(s[places[s[0]]] == variable if s[0] in places else s[0] == "for" and s[1][1] == variable for s in walk(body))


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


def places(body):
    """Of plain accesses, and what is given to other threads."""
    return {s[2] if s[0] in ("plain-load", "spawn") else s[1] for s in walk(body) if s[0] in ("plain-load", "plain-store", "spawn")}


def uses_own(body):
    return bool(places(body) & {"own", "&own"})


def uses_given(body):
    return bool(places(body) & {"given", "*given"})
