"""Programs as litmus tests: what `ordeal litmus`, which has no compiler and no machine code, says about them."""
import emit
from programs import ATOMICS, PLAINS, registers, walk

ORDERS = ["relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"]


class Unsuitable(Exception):
    pass


class Writer(emit.Emitter):
    """A thread; helpers are written out where they are called."""

    def __init__(self, program):
        super().__init__(program, 0, "")

    def statement(self, s, depth, names, leave):
        kind = s[0]
        reg = lambda r: self.name(r, names)
        ex = lambda e: self.expression(e, names)
        order = lambda o: f"memory_order_{ORDERS[o]}"
        if kind in ("lock", "unlock", "try", "assert"):
            raise Unsuitable(kind)
        if kind == "load":
            self.put(depth, f"{reg(s[1])} = atomic_load_explicit({s[2]}, {order(s[3])});")
        elif kind == "store":
            self.put(depth, f"atomic_store_explicit({s[1]}, {ex(s[3])}, {order(s[2])});")
        elif kind == "rmw":
            self.put(depth, f"{reg(s[2])} = atomic_{s[1]}_explicit({s[3]}, {ex(s[5])}, {order(s[4])});")
        elif kind == "cas":
            how = "weak" if s[7] else "strong"
            self.put(depth, f"{reg(s[1])} = atomic_compare_exchange_{how}_explicit({s[2]}, &{reg(s[5])}, {ex(s[6])}, {order(s[3])}, {order(s[4])});")
        elif kind == "fence":
            self.put(depth, f"atomic_thread_fence({order(s[1])});")
        elif kind == "plain-load":
            self.put(depth, f"{reg(s[1])} = *{s[2]};")
        elif kind == "plain-store":
            self.put(depth, f"*{s[1]} = {ex(s[2])};")
        else:
            super().statement(s, depth, names, leave)

    @staticmethod
    def step(counter, name):
        if counter[0] == "atomic":
            raise Unsuitable("an atomic counter that is loaded and stored")
        if counter[0] == "atomic-add":
            return f"atomic_store_explicit({name}, 0, memory_order_relaxed)", None, f"1 + atomic_fetch_add_explicit({name}, 1, memory_order_relaxed)"
        return f"{name} = 0", f"{name}++", None

    def call(self, s, depth, names):
        _, result, helper, argument = s
        body = self.program.helpers[helper][1]
        if any(inner[0] in ("for", "ever", "do") for inner in walk(body)):
            raise Unsuitable("a loop in a helper")
        self.labels += 1
        inside = {r: f"{r}_{self.labels}" for r in registers(body)}
        if argument:
            inside["A"] = self.name(argument, names)
        self.put(depth, "do {")
        for register, name in inside.items():
            if register != "A":
                self.declared.append(name)
                self.put(depth + 1, f"{name} = 0;")
        into = self.name(result, names)
        self.body(body, depth + 1, inside, {"return": lambda e: f"{into} = {e}; break;"})
        self.put(depth, "} while (0);")

    def test(self, name):
        p = self.program
        if p.main is not None:
            raise Unsuitable("main")
        text = str(p.bodies()) + str(p.initial)
        atomics = [x for x in ATOMICS + emit.COUNTERS if f"'{x}'" in text]
        plains = [d for d in PLAINS if f"'{d}'" in text]
        parameters = ", ".join([f"atomic_int* {x}" for x in atomics] + [f"int* {d}" for d in plains])
        initial = " ".join([f"atomic_int {x} = {p.initial.get(x, 0)};" for x in atomics] + [f"int {d} = 0;" for d in plains])
        shown = [f"{t}:{r}" for t, some in enumerate(p.shown) for r in some]
        memory = [x for x in atomics if x in ATOMICS or p.counters_shown and x in emit.COUNTERS[:4]] + plains
        out = [f"C {name}", f"{{ {initial} }}"]
        for t, body in enumerate(p.threads):
            self.lines, self.declared = [], []
            self.body(body, 1, {}, {"return": lambda e: "return;"})
            found = registers(body)
            found += [r for r in p.shown[t] if r not in found] + self.declared + [g for g in emit.GLOBALS if f"'{g}'" in str(body)]
            out += [f"P{t} ({parameters}) {{"] + [f"  int {r} = 0;" for r in found] + self.lines + ["}"]
        out.append(f"locations [{' '.join(f'{name};' for name in shown + memory)}]")
        return "\n".join(out) + "\n"


def turns(program, least):
    """The bound for the loops of `ordeal litmus`."""
    return max([least] + [s[2] for body in program.bodies() for s in walk(body) if s[0] == "for"])


def outcome(program, state):
    """A final state as the observer writes outcomes."""
    values = [0] * (emit.WRITTEN + 1)
    values[emit.WRITTEN] = 1
    for t, shown in enumerate(program.shown):
        for i, r in enumerate(shown):
            values[t] |= (state[f"{t}:{r}"] & 31) << 5 * i
    for i, name in enumerate(ATOMICS + PLAINS + (emit.COUNTERS[:4] if program.counters_shown else [])):
        values[3 + i] = state.get(name, 0)
    return " ".join(map(str, values))
