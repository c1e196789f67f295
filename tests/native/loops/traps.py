"""Programs by hand: each is a counterexample to a tempting rule for leaving turns out."""
from programs import ACQ_REL as AR, ACQUIRE as ACQ, RELAXED as RLX, RELEASE as REL, SEQ_CST as SC, Program, registers

BREAK, CONTINUE = ["break"], ["continue"]


def load(register, x, order):
    return ["load", register, x, order]


def store(x, value, order=RLX):
    return ["store", x, order, value]


def cas(ok, x, expected, value, success, failure, weak=False):
    return ["cas", ok, x, success, failure, expected, value, weak]


def retry(first, success, failure, node=()):
    """Reads x0, then compare-exchanges until it succeeds."""
    return [load("x", "x0", first), ["do", list(node) + [cas("ok", "x0", "x", 3, success, failure)], ["==", "ok", 0]]]


def read_node(order, plain):
    return [load("y", "x0", order), ["if", ["==", "y", 3], [["plain-load", "z", "n0"] if plain else load("z", "x3", RLX)], []]]


def leave(register, operator, value):
    return ["if", [operator, register, value], [BREAK], []]


def lock_poll(register):
    return [["ever", [["lock", "m0"], load(register, "x0", RLX), ["unlock", "m0"], leave(register, "!=", 0)]]]


def vain_race(unaware):
    reader = [["ever", [load("r", "x0", RLX), leave("r", "==", 1), ["plain-load", "d", "d0"]]], store("x1", 1)]
    if unaware:
        return [reader, [store("x0", 1), ["do", [load("m", "x1", RLX)], ["==", "m", 0]], ["plain-store", "d0", 1]]]
    return [reader, [["plain-store", "d0", 1], store("x0", 1)]]


REPEATED = [store("x2", 1), ["ever", [load("r", "x0", RLX), leave("r", "==", 1), store("x2", 1)]]]


COUNTED = ["for", ["register", "i"], 3, [load("r", "x0", ACQ), ["if", ["==", "r", 0], [CONTINUE], []], store("x2", 1, REL)]]

# name: (threads, registers in the outcome or None for all, and perhaps initial values)
TRAPS = {
    "counted loop taken for a waiting one": ([[COUNTED], [store("x0", 1, REL), load("s", "x2", ACQ)]], [[], ["s"]]),
    "the same, no turn in vain": ([[COUNTED], [load("s", "x2", ACQ)]], [[], ["s"]], {"x0": 1}),
    "the same, no branch": ([[["for", ["register", "i"], 3, [load("r", "x0", RLX), store("x2", 1)]]], [load("s", "x2", ACQ)]], [[], ["s"]]),
    "the same, something behind it": ([[COUNTED, ["rmw", "fetch_add", "n", "x2", RLX, 1]], [load("s", "x2", ACQ)]], [["n"], ["s"]], {"x0": 1}),
    "load acquire, failure relaxed: value": ([retry(ACQ, REL, RLX) + [load("r", "x1", RLX)], [store("x1", 1), store("x0", 1, REL)]], [["x", "r"], []]),
    "load acquire, failure relaxed: race": ([retry(ACQ, REL, RLX) + [["if", ["==", "x", 1], [["plain-load", "r", "d0"]], []]], [["plain-store", "d0", 1], store("x0", 1, REL)]], [["x"], []]),
    "load seq_cst, failure acquire": ([retry(SC, RLX, ACQ) + [load("r", "x1", SC)], [store("x0", 1, SC)], [store("x1", 1, SC), load("q", "x0", SC)]], [["x", "r"], [], ["q"]]),
    "repeated store, another writer": ([REPEATED, [store("x2", 2), store("x0", 1)], [load("a", "x2", RLX), load("b", "x2", RLX), load("c", "x2", RLX)]], [[], [], ["a", "b", "c"]]),
    "repeated store, first release, then relaxed": ([[store("x1", 1), store("x2", 1, REL), REPEATED[1]], [store("x0", 1)], [load("a", "x2", ACQ), load("b", "x1", RLX)]], [[], [], ["a", "b"]]),
    "blind store of the value just read": ([[["do", [load("r", "x0", RLX), store("x0", "r"), load("s", "x1", RLX)], ["==", "s", 0]]],
                                            [store("x0", 1), store("x0", 2), load("a", "x0", RLX), store("x0", 3), store("x1", 1)]], [["r"], ["a"]]),
    "hazard pointer overwritten": ([[["do", [load("x", "x0", RLX), store("x2", ["x", 5]), ["fence", SC], load("y", "x0", RLX)], ["!=", "y", "x"]]],
                                    [store("x0", 1), ["fence", SC], load("h", "x2", RLX)]], [["x"], ["h"]]),
    "spurious failure with a fallback": ([[["set", "x", 0], cas("ok", "x0", "x", 3, RLX, RLX, weak=True)], [load("r", "x0", RLX)]], None),
    "counted turns of two reads": ([[["for", ["register", "i"], 2, [load("a", "x0", RLX), load("b", "x1", ACQ)]]], [store("x0", 1), store("x1", 1, REL)]], [["a", "b"], []]),
    "live counter": ([[["ever", [load("r", "x0", RLX), leave("r", "!=", 0), ["set", "c", ["c", 1]], leave("c", "==", 2)]]], [store("x0", 1)]], [["c"], []]),
    "lock pair, another thread tries": ([lock_poll("r"), [["try", "a", "m0"], ["if", ["==", "a", 0], [["try", "b", "m0"]], [["set", "b", 1]]],
                                                          ["if", ["==", "b", 1], [store("x0", 1), ["unlock", "m0"]], []]]], [[], ["a", "b"]]),
    "lock pair, all wait": ([lock_poll("r"), [["lock", "m0"], store("x0", 1), ["unlock", "m0"]]], [["r"], []]),
    "atomic node field, relaxed publication": ([retry(RLX, RLX, RLX, [store("x3", ["x", 5])]), [store("x0", 1)], read_node(RLX, False)], [["x"], [], ["z"]]),
    "atomic node field, release and acquire": ([retry(RLX, REL, RLX, [store("x3", ["x", 5])]), [store("x0", 1)], read_node(ACQ, False)], [["x"], [], ["z"]]),
    "plain node field, release and acquire": ([retry(RLX, REL, RLX, [["plain-store", "n0", ["x", 5]]]), [store("x0", 1)], read_node(ACQ, True)], [["x"], [], ["z"]]),
    "plain node field, relaxed publication": ([retry(RLX, RLX, RLX, [["plain-store", "n0", ["x", 5]]]), [store("x0", 1)], read_node(RLX, True)], [["x"], [], ["z"]]),
    "race with a turn in vain, unaware writer": (vain_race(True), [[], []]),
    "race with a turn in vain, independent writer": (vain_race(False), [[], []]),
    "execution dropped instead of thread stopped": ([[["do", [load("r", "x0", RLX)], ["==", "r", 0]]], [store("x0", 1)]], [["r"], []]),
    "write-back by a read-modify-write behind another": ([[["rmw", "exchange", "a", "x2", RLX, 1], ["ever", [load("r", "x0", RLX), leave("r", "==", 1), store("x2", 1)]]],
                                                         [["rmw", "fetch_add", "b", "x2", AR, 1], store("x0", 1)]], [["a"], ["b"]]),
}


def make():
    """All of them, in order, as programs."""
    made = []
    for threads, shown, *initial in TRAPS.values():
        p = Program()
        p.initial = dict(*initial)
        p.threads = threads
        p.shown = shown or [registers(body) for body in threads]
        p.stacked, p.in_memory, p.bound = [[] for _ in threads], [False for _ in threads], 3
        made.append(p.copy())
    return made
