"""Smaller programs: what may be left of one without a part of it."""
from programs import ACQ_REL, ACQUIRE, BODIES, CONSUME, RELAXED, RELEASE, SEQ_CST, uses_given, walk

LEAVES = {"break", "continue", "return"}


def turns_with_operations(body):
    """Whether each loop without a counter does an operation before it can turn: one that does not would run for ever."""
    for s in walk(body):
        if s[0] not in ("ever", "do"):
            continue
        for first in s[1]:
            if first[0] in ("load", "store", "rmw", "cas", "fence", "lock", "try", "call"):
                break
            if first[0] == "if" and any(x[0] == "continue" for x in walk([first])):
                return False
        else:
            return False
    return True


def of_body(body):
    """Each way to make a body smaller, as a new body."""
    for i, s in enumerate(body):
        before, after = body[:i], body[i + 1:]
        yield before + after
        for index in BODIES.get(s[0], ()):
            if s[0] == "if" or not any(x[0] in ("break", "continue") for x in walk(s[index])):
                if s[index]:
                    yield before + s[index] + after  # without its condition, or its loop
            for smaller in of_body(s[index]):
                yield before + [s[:index] + [smaller] + s[index + 1:]] + after
        for simpler in of_statement(s):
            yield before + [simpler] + after


def weaker(order):
    return {SEQ_CST: (RELAXED, ACQUIRE, RELEASE), ACQ_REL: (RELAXED, ACQUIRE, RELEASE), ACQUIRE: (RELAXED,), RELEASE: (RELAXED,), CONSUME: (RELAXED, ACQUIRE)}.get(order, ())


def of_statement(s):
    def put(index, value):
        return s[:index] + [value] + s[index + 1:]
    kind = s[0]
    if kind == "load":
        yield from (put(3, o) for o in weaker(s[3]) if o != RELEASE)
    elif kind == "store":
        yield from (put(2, o) for o in weaker(s[2]) if o != ACQUIRE)
        if s[3] != 1:
            yield put(3, 1)
    elif kind == "rmw":
        yield ["load", s[2], s[3], RELAXED]
        yield ["store", s[3], RELAXED, s[5]]
        yield from (put(4, o) for o in weaker(s[4]))
    elif kind == "cas":
        if s[7]:
            yield put(7, False)
        yield from (put(3, o) for o in weaker(s[3]))
        yield from (put(4, o) for o in weaker(s[4]) if o != RELEASE)
        if s[6] != 3:
            yield put(6, 3)
    elif kind == "fence":
        yield from (put(1, o) for o in weaker(s[1]) if o != RELAXED)
    elif kind == "for":
        if s[2] > 2:
            yield put(2, s[2] - 1)
        if s[1][0] in ("stack", "bumped"):
            yield put(1, ["register", s[1][1]])
        elif s[1][0] == "atomic":
            yield put(1, ["atomic-add", s[1][1]])
        elif s[1][0] != "register":
            yield put(1, ["register", "i" + s[1][1]])


def without(program, t):
    """Without that thread, if it creates none."""
    p = program.copy()
    for parts in (p.threads, p.shown, p.stacked, p.in_memory):
        del parts[t]
    for body in p.of_threads():
        body[:] = [s for s in body if s[0] not in ("spawn", "join") or s[1] != t]
        for s in body:
            if s[0] in ("spawn", "join") and s[1] > t:
                s[1] -= 1
    return p


def candidates(program):
    """Threads keep the numbers that they get when they are created (hangs.py)."""
    for p in all_candidates(program):
        if p.main is None or sorted(s[1] for body in p.of_threads() for s in walk(body) if s[0] == "spawn") == list(range(len(p.threads))):
            yield p


def all_candidates(program):
    for t in range(len(program.threads)):
        if len(program.threads) > 1 and not any(s[0] == "spawn" for s in walk(program.threads[t])):
            yield without(program, t)
    if program.main is not None:
        for smaller in of_body(program.main):
            if turns_with_operations(smaller):
                p = program.copy()
                p.main = smaller
                yield p
        for i in range(len(program.main_shown)):
            p = program.copy()
            del p.main_shown[i]
            yield p
    for t, body in enumerate(program.of_threads()):
        for i, s in enumerate(body):
            if s[0] == "spawn" and s[2] != "0" and not uses_given(program.threads[s[1]]):
                p = program.copy()
                p.of_threads()[t][i][2] = "0"
                yield p
    for t, body in enumerate(program.threads):
        for smaller in of_body(body):
            if turns_with_operations(smaller):
                p = program.copy()
                p.threads[t] = smaller
                yield p
    for name, (attribute, body) in program.helpers.items():
        if not any(s[0] == "call" and s[2] == name for thread in program.of_threads() for s in walk(thread)):
            p = program.copy()
            del p.helpers[name]
            yield p
            continue
        for smaller in of_body(body):
            if turns_with_operations(smaller):
                p = program.copy()
                p.helpers[name][1] = smaller
                yield p
        if attribute != "inline":
            p = program.copy()
            p.helpers[name][0] = "inline"
            yield p
    for t, shown in enumerate(program.shown):
        for i in range(len(shown)):
            p = program.copy()
            del p.shown[t][i]
            yield p
        for field in ("stacked", "in_memory"):
            if getattr(program, field)[t]:
                p = program.copy()
                getattr(p, field)[t] = type(getattr(p, field)[t])()
                yield p
    for x in program.initial:
        p = program.copy()
        del p.initial[x]
        yield p
    if program.counters_shown:
        p = program.copy()
        p.counters_shown = False
        yield p
    if program.bound > 2:
        p = program.copy()
        p.bound -= 1
        yield p


def shrink(program, first_failing, most_rounds=60):
    """`first_failing` finds the first program of a list that still fails, or gives None."""
    for _ in range(most_rounds):
        found = first_failing(list(candidates(program)))
        if not found:
            return program
        program = found
    return program
