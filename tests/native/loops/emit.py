"""Programs as C, or as C++ with lambdas: with their loops, or with every loop written out turn by turn."""
from programs import ATOMICS, MAIN, PLAINS, registers, uses_given, uses_own, walk

ORDERS = ["__ATOMIC_RELAXED", "__ATOMIC_CONSUME", "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"]
COUNTERS = [f"c{t}_{i}" for t in range(4) for i in range(2)]
GLOBALS = [f"g{t}_{i}" for t in range(4) for i in range(2)]
SHOWN = 12  # registers of a thread in the outcome, five bits each
SLOTS = ATOMICS + PLAINS
OF_MAIN = 3 + len(SLOTS) + 4  # in the outcome: its registers, behind those of threads, variables and counters
WRITTEN = OF_MAIN + 1  # the last one

HEAD = f"""#ifdef __cplusplus
extern "C" {{
#endif
typedef unsigned long pthread_t;
typedef union {{ char bytes[40]; long alignment; }} pthread_mutex_t;
int pthread_create(pthread_t*, const void*, void* (*)(void*), void*);
int pthread_join(pthread_t, void**);
int pthread_mutex_lock(pthread_mutex_t*);
int pthread_mutex_unlock(pthread_mutex_t*);
int pthread_mutex_trylock(pthread_mutex_t*);
void __assert_fail(const char*, const char*, unsigned, const char*) __attribute__((noreturn));
void __ordeal_assume(int);
extern long outcome[32];
#ifdef __cplusplus
}}
#endif

long outcome[32];
int {", ".join(ATOMICS)};  // atomic
int {", ".join(COUNTERS)};  // atomic, each of one thread
int {", ".join(PLAINS)};
int {", ".join(GLOBALS)};  // each of one thread
int left[3][{SHOWN}];  // results of the threads
char ended[3];  // whether they ended, of those whose results are there
int* lent[4][16];
pthread_mutex_t m0;
static __attribute__((noinline)) void bump(int* counter) {{ ++*counter; }}

struct program {{
  void* (*thread[3])(void*);
  long (*main)(void);  // 0: it creates all threads, and joins them in the end
  int initial[{len(ATOMICS)}];  // of atomics
  int in_memory[3];  // how many results of the thread are there
  int in_outcome[{len(SLOTS) + 4}];  // which variables
}};
"""

# Behind the programs. One for all: written out for each, it would be half of what is to be compiled.
RUN = """
static void run(const struct program* program) {
  pthread_t thread[3];
  void* result;
""" + "".join(f"""  if (program->initial[{i}]) __atomic_store_n(&{x}, program->initial[{i}], __ATOMIC_RELAXED);
""" for i, x in enumerate(ATOMICS)) + f"""  if (program->main) outcome[{OF_MAIN}] = program->main();
""" + "".join(f"""  if (program->thread[{t}] && !program->main) pthread_create(&thread[{t}], 0, program->thread[{t}], 0);
""" for t in range(3)) + "".join(f"""  if (program->thread[{t}]) {{
    if (!program->main) {{
      pthread_join(thread[{t}], &result);
      outcome[{t}] = (long)result;
    }}
    for (int i = 0; i < program->in_memory[{t}]; i++) outcome[{t}] |= (long)(left[{t}][i] & 31) << 5 * i;
  }}
""" for t in range(3)) + "".join(f"""  if (program->in_outcome[{i}]) outcome[{3 + i}] = {x if x in PLAINS else f"__atomic_load_n(&{x}, __ATOMIC_RELAXED)"};
""" for i, x in enumerate(SLOTS + COUNTERS[:4])) + f"""  outcome[{WRITTEN}] = 1;
}}
"""


class Emitter:
    """A function; `unroll` is how many turns of a loop that is not counted are written out (0: loops are loops)."""

    def __init__(self, program, unroll, prefix, lambdas=False):
        """`lambdas`: helpers that may be lambdas are."""
        self.program, self.unroll, self.prefix, self.lambdas = program, unroll, prefix, lambdas
        self.lines, self.labels, self.declared = [], 0, []

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def label(self):
        self.labels += 1
        return f"l{self.labels}"

    @staticmethod
    def name(register, names):
        return names.get(register, register)

    def expression(self, e, names):
        if isinstance(e, list):
            return f"{self.name(e[0], names)} + {e[1]}"
        return self.name(e, names) if isinstance(e, str) else str(e)

    def condition(self, c, names):
        return f"{self.name(c[1], names)} {c[0]} {self.expression(c[2], names)}"

    def body(self, statements, depth, names, leave):
        for s in statements:
            self.statement(s, depth, names, leave)

    def statement(self, s, depth, names, leave):
        """`leave` has what break, continue and return are: texts, or for return a function of its expression."""
        kind = s[0]
        reg = lambda r: self.name(r, names)
        ex = lambda e: self.expression(e, names)
        if kind == "load":
            self.put(depth, f"{reg(s[1])} = __atomic_load_n(&{s[2]}, {ORDERS[s[3]]});")
        elif kind == "store":
            self.put(depth, f"__atomic_store_n(&{s[1]}, {ex(s[3])}, {ORDERS[s[2]]});")
        elif kind == "rmw":
            function = "exchange_n" if s[1] == "exchange" else s[1]
            self.put(depth, f"{reg(s[2])} = __atomic_{function}(&{s[3]}, {ex(s[5])}, {ORDERS[s[4]]});")
        elif kind == "cas":
            pointer = names["A"][2:-1] if s[5] == "A" and names.get("A", "").startswith("(*") else "&" + reg(s[5])
            self.put(depth, f"{reg(s[1])} = __atomic_compare_exchange_n(&{s[2]}, {pointer}, {ex(s[6])}, {int(s[7])}, {ORDERS[s[3]]}, {ORDERS[s[4]]});")
        elif kind == "fence":
            self.put(depth, f"__atomic_thread_fence({ORDERS[s[1]]});")
        elif kind == "plain-load":
            self.put(depth, f"{reg(s[1])} = {s[2]};" + (f' __asm__ volatile("" : : "r"({reg(s[1])}));' if self.program.main is not None else ""))  # no compiler leaves it out
        elif kind == "plain-store":
            self.put(depth, f"{s[1]} = {ex(s[2])};")
        elif kind in ("lock", "unlock"):
            self.put(depth, f"pthread_mutex_{kind}(&{s[1]});")
        elif kind == "try":
            self.put(depth, f"{reg(s[1])} = !pthread_mutex_trylock(&{s[2]});")
        elif kind == "set":
            self.put(depth, f"{reg(s[1])} = {ex(s[2])};")
        elif kind == "assert":
            text = self.condition(s[1], names)
            self.put(depth, f'if (!({text})) __assert_fail("{text}", "loops.c", 1, "thread");')
        elif kind == "if":
            self.put(depth, f"if ({self.condition(s[1], names)}) {{")
            self.body(s[2], depth + 1, names, leave)
            if s[3]:
                self.put(depth, "} else {")
                self.body(s[3], depth + 1, names, leave)
            self.put(depth, "}")
        elif kind in ("break", "continue"):
            self.put(depth, leave[kind])
        elif kind == "return":
            self.put(depth, leave["return"](ex(s[1]) if len(s) > 1 else None))
        elif kind == "call":
            self.call(s, depth, names)
        elif kind == "spawn":
            self.put(depth, f"pthread_create(&id{s[1]}, 0, {self.prefix}t{s[1]}, {s[2]});")
            self.put(depth, f"runs{s[1]} = 1;")
        elif kind == "join":
            self.put(depth, self.join(s[1]))
            self.put(depth, f"runs{s[1]} = 0;")
        elif self.unroll:
            self.turns(s, depth, names, leave)
        else:
            self.loop(s, depth, names, leave)

    @staticmethod
    def step(counter, name):
        """(before the loop, step that gives the new value or None, condition)"""
        kind = counter[0]
        if kind == "bumped":
            return f"{name} = 0", f"bump(&{name})", None
        if kind == "atomic":
            return (f"__atomic_store_n(&{name}, 0, __ATOMIC_RELAXED)", None,
                    f"({{ int next = __atomic_load_n(&{name}, __ATOMIC_RELAXED) + 1; __atomic_store_n(&{name}, next, __ATOMIC_RELAXED); next; }})")
        if kind == "atomic-add":
            return f"__atomic_store_n(&{name}, 0, __ATOMIC_RELAXED)", None, f"__atomic_add_fetch(&{name}, 1, __ATOMIC_RELAXED)"
        return f"{name} = 0", f"{name}++", None

    def loop(self, s, depth, names, leave):
        inner = dict(leave, **{"break": "break;", "continue": "continue;"})
        if s[0] == "for":
            name = self.name(s[1][1], names)
            first, step, value = self.step(s[1], name)
            if value:
                self.put(depth, first + ";")
                self.put(depth, "do {")
                self.body(s[3], depth + 1, names, inner)
                self.put(depth, f"}} while ({value} < {s[2]});")
                return
            self.put(depth, f"for ({first}; {name} < {s[2]}; {step}) {{")
            self.body(s[3], depth + 1, names, inner)
            self.put(depth, "}")
        elif s[0] == "ever":
            self.put(depth, "for (;;) {")
            self.body(s[1], depth + 1, names, inner)
            self.put(depth, "}")
        else:
            self.put(depth, "do {")
            self.body(s[1], depth + 1, names, inner)
            self.put(depth, f"}} while ({self.condition(s[2], names)});")

    def turns(self, s, depth, names, leave):
        end = self.label()
        counted = s[0] == "for"
        if counted:
            name = self.name(s[1][1], names)
            first, step, value = self.step(s[1], name)
            self.put(depth, first + ";")
        for _ in range(s[2] if counted else self.unroll):
            following = self.label()
            self.body(s[3] if counted else s[1], depth, names, dict(leave, **{"break": f"goto {end};", "continue": f"goto {following};"}))
            self.put(depth, f"{following}:;")
            if counted:
                self.put(depth, (step or value) + ";")
            elif s[0] == "do":
                self.put(depth, f"if (!({self.condition(s[2], names)})) goto {end};")
        if not counted:
            self.put(depth, "__ordeal_assume(0);")
        self.put(depth, f"{end}:;")

    def call(self, s, depth, names):
        _, result, helper, argument = s
        if not self.unroll:
            is_lambda = self.is_lambda(helper)
            given = f"&{self.name(argument, names)}" if argument and not is_lambda else ""
            self.put(depth, f"{self.name(result, names)} = {'' if is_lambda else self.prefix}{helper}({given});")
            return
        body = self.program.helpers[helper][1]
        self.labels += 1
        inside = {r: f"{r}_{self.labels}" for r in registers(body)}
        if argument:
            inside["A"] = self.name(argument, names)
        end = self.label()
        for register, name in inside.items():
            if register != "A":
                self.declared.append(name)
                self.put(depth, f"{name} = 0;")
        into = self.name(result, names)
        self.body(body, depth, inside, {"return": lambda e: f"{{ {into} = {e}; goto {end}; }}"})
        self.put(depth, f"{end}:;")

    def is_lambda(self, helper):
        return self.lambdas and self.program.helpers[helper][0] == "lambda"

    def put_lambda(self, name, argument):
        """In the thread that calls it: it has the thread's variables by reference, so that `argument` is one of them."""
        body = self.program.helpers[name][1]
        found = [r for r in registers(body) if r != "A"]
        self.put(1, f"const auto {name} = [&]() -> int {{")
        if found:
            self.put(2, "int " + ", ".join(f"{r} = 0" for r in found) + ";")
        self.body(body, 2, {"A": argument} if argument else {}, {"return": lambda e: f"return {e};"})
        if not body or body[-1][0] != "return":
            self.put(2, "return 0;")
        self.put(1, "};")

    def helper(self, name, attribute, body, has_argument):
        start = len(self.lines)
        found = [r for r in registers(body) if r != "A"]
        self.body(body, 1, {"A": "(*A)"} if has_argument else {}, {"return": lambda e: f"return {e};"})
        how = "__attribute__((noinline)) int" if attribute == "noinline" else "inline int"
        head = [f"static {how} {self.prefix}{name}({'int* A' if has_argument else 'void'}) {{"]
        if found:
            head.append("  int " + ", ".join(f"{r} = 0" for r in found) + ";")
        self.lines[start:] = head + self.lines[start:] + ([] if body and body[-1][0] == "return" else ["  return 0;"]) + ["}"]

    @staticmethod
    def join(t):
        return f"if (runs{t}) pthread_join(id{t}, (void**)&outcome[{t}]);"

    def thread(self, t):
        p = self.program
        is_main = p.main is not None and t == MAIN
        body, shown = (p.main, p.main_shown) if is_main else (p.threads[t], p.shown[t])
        start = len(self.lines)
        children = sorted({s[1] for s in walk(body) if s[0] == "spawn"})
        joins = "".join(f"{self.join(child)} " for child in children)
        results = " | ".join(f"(long)({r} & 31) << {5 * i}" for i, r in enumerate(shown)) or "0"
        if is_main:
            leave = f"return {results};"
        elif p.in_memory[t]:
            leave = "".join(f"left[{t}][{i}] = {r}; " for i, r in enumerate(shown)) + f"ended[{t}] = 1; return 0;"
        else:
            leave = f"return (void*)({results});"
        if joins or (not is_main and p.in_memory[t]):
            leave = f"{{ {joins}{leave} }}"
        found = registers(body)
        lent = set(p.stacked[t] if not is_main else []) | {s[1][1] for s in walk(body) if s[0] == "for" and s[1][0] == "stack"}
        for i, r in enumerate(sorted(lent & set(found))[:16]):
            self.put(1, f"lent[{t}][{i}] = &{r};")
        if not self.unroll:
            for helper, argument in {s[2]: s[3] for s in walk(body) if s[0] == "call"}.items():
                if self.is_lambda(helper):
                    self.put_lambda(helper, argument)
        self.body(body, 1, {}, {"return": lambda e: leave})
        self.put(1, leave)
        head = [f"static long {self.prefix}main(void) {{"] if is_main else [f"static void* {self.prefix}t{t}(void* argument) {{", "  (void)argument;"]
        found += [r for r in shown if r not in found] + self.declared
        self.declared = []
        if uses_given(body):
            head.append("  int* given = (int*)argument;")
        if uses_own(body):
            head.append("  int own = 0;")
        head += [f"  pthread_t id{child} = 0; int runs{child} = 0;" for child in children]
        if found:
            head.append("  int " + ", ".join(f"{r} = 0" for r in found) + ";")
        self.lines[start:] = head + self.lines[start:] + ["}"]

    def functions(self):
        p = self.program
        if not self.unroll:
            for name, (attribute, body) in p.helpers.items():
                if self.is_lambda(name):
                    continue
                calls = [s for thread in p.of_threads() for s in walk(thread) if s[0] == "call" and s[2] == name]
                if calls:
                    self.helper(name, attribute, body, any(s[3] for s in calls))
        if p.main is not None:
            self.lines += [f"static void* {self.prefix}t{t}(void*);" for t in range(len(p.threads))]
        for t in list(range(len(p.threads))) + [MAIN] * (p.main is not None):
            self.thread(t)
        return "\n".join(self.lines) + "\n"


    def row(self):
        """In the table of programs: what main does for it."""
        p = self.program
        text = "".join(f"{body}" for body in p.bodies()) + str(p.initial)
        threads = [f"{self.prefix}t{t}" for t in range(len(p.threads))]
        in_memory = [len(shown) if there else 0 for shown, there in zip(p.shown, p.in_memory)]
        in_outcome = [int(f"'{x}'" in text and (x in SLOTS or p.counters_shown)) for x in SLOTS + COUNTERS[:4]]
        columns = [threads, [f"{self.prefix}main" if p.main is not None else 0], [p.initial.get(x, 0) for x in ATOMICS], in_memory, in_outcome]
        return "{" + ", ".join("{" + ", ".join(map(str, column)) + "}" for column in columns) + "}"


def describe(program, outcome):
    """An outcome, as numbers from the observer, in words."""
    values = [int(v) for v in outcome.split()]
    words = []
    for t, shown in enumerate(program.shown):
        words += [f"{t}:{r}={values[t] >> 5 * i & 31}" for i, r in enumerate(shown)]
    names = ATOMICS + PLAINS + COUNTERS[:4]
    text = str(program.bodies()) + str(program.initial)
    words += [f"{name}={values[3 + i]}" for i, name in enumerate(names) if 3 + i < len(values) and f"'{name}'" in text]
    words += [f"main:{r}={values[OF_MAIN] >> 5 * i & 31}" for i, r in enumerate(program.main_shown)]
    return " ".join(words)


def translation_unit(programs, unroll=0, comment="", written_out=None, lambdas=False):
    """`lambdas`: C++. `written_out` instead of the programs themselves is what is written out (None: not that one). Program number i is run by the argument i; written out turn by turn, by i + number of programs."""
    parts, rows = [comment, HEAD], []
    emitters = [Emitter(program, 0, f"p{number}_", lambdas) for number, program in enumerate(programs)]
    emitters += [program and Emitter(program, unroll, f"u{number}_", lambdas) for number, program in enumerate((written_out or programs) if unroll else [])]
    for emitter in emitters:
        parts.append(emitter.functions() if emitter else "")
        rows.append(f"  {emitter.row()}," if emitter else "  {{0}, {0}, {0}, {0}, {0}},")
    parts += [RUN, "static const struct program all[] = {"] + rows + ["""};

int main(int count, char** arguments) {
  int number = 0;
  for (const char* c = count > 1 ? arguments[1] : ""; *c; c++) number = number * 10 + (*c - '0');
  run(&all[number]);
  return 0;
}
"""]
    return "\n".join(parts)
