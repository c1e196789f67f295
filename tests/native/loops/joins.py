"""Programs in which main is a thread like the others: threads are joined in the middle, and there is data on stacks to which other threads have pointers.

Most are like this: somebody looks at plain data in each turn of a loop that waits; somebody else joins a third one, and then accesses the same data, ordered or not.
"""
from kinds import Kinds
from programs import MAIN, RELAXED


# Who creates each thread, and who loops (mostly). Those whose parent is main come first: so threads have the same number in each run of the search (hangs.py).
FAMILIES = [([MAIN, MAIN], 0), ([MAIN, MAIN], 0), ([MAIN, MAIN, MAIN], 0), ([MAIN, MAIN, MAIN], 1), ([MAIN, MAIN, 1], 0), *[([MAIN, MAIN, 0], MAIN), ([MAIN, 0, 1], 0)] * 4,
            ([MAIN, 0, 0], 0), ([MAIN, 0], 0)]


class Joins(Kinds):
    def joins(self):
        """The bodies; that of main is left in the program."""
        parents, looping = self.pick(*FAMILIES)
        bodies = list(range(len(parents))) + [MAIN]
        self.children = {t: [child for child, parent in enumerate(parents) if parent == t] for t in bodies}
        loops = [looping if self.chance(.8) else self.pick(*bodies)]
        others = [t for t in bodies if t not in loops]
        if self.chance(.1):
            loops.append(self.pick(*others))
        self.loops = loops
        self.lend()
        self.choose_data()
        made = {t: self.waits(t) if t in loops else self.goes_on(t) for t in bodies}
        self.program.main = made[MAIN]
        return [made[t] for t in bodies if t != MAIN]

    def lend(self):
        """What each thread is given by the one that creates it: a pointer to a variable there, or what that was given itself."""
        self.given, self.places = {}, {t: {"d0": "d0", "n0": "n0"} for t in self.children}
        for t in [MAIN] + [child for child in self.children if child != MAIN]:
            if self.children[t]:
                self.places[t][f"own{t}"] = "own"
            for child in self.children[t]:
                lends = "&own" if t in self.loops or "*given" not in self.places[t].values() else "given"
                self.given[child] = lends if self.chance(.85) else self.pick("0", "&own")
                if self.given[child] == "&own":
                    self.places[child][f"own{t}"] = "*given"
                elif self.given[child] == "given":
                    self.places[child][next(name for name, place in self.places[t].items() if place == "*given")] = "*given"

    def choose_data(self):
        """What is accessed: one variable or two, which a thread that loops can reach, and mostly one that joins another; and who only looks."""
        looping = self.loops[0]
        joining = [t for t in self.children if self.children[t] and t not in self.loops]
        reached = [name for name in self.places[looping] if any(name in self.places[t] for t in joining or self.children if t != looping)]
        own = [name for name in reached if name == f"own{looping}"]
        self.data = [self.pick(*(own if own and self.chance(.85) else reached))]
        if self.chance(.1):
            self.data.append(self.pick(*reached))
        self.only_looks = {name: self.pick(*["loops"] * 8, "all", "others", "none") for name in self.data}

    def access(self, t, where):
        """Plain, of some data of the program; `where`: "loops" or "others". Nothing, if the thread cannot reach it."""
        name = self.pick(*self.data)
        if name not in self.places[t]:
            return []
        place = self.places[t][name]
        if self.only_looks[name] in (where, "all") or self.chance(.1):
            return [["plain-load", self.register(), place]]
        return [["plain-store", place, self.value()]]

    def spawn(self, t):
        return [["spawn", child, self.given[child]] for child in self.children[t]]

    def waits(self, t):
        joined = [["join", child] for child in reversed(self.children[t]) if self.chance(.1 if self.children[child] else .9 if t == MAIN else .3)]
        before = self.access(t, "others") * self.chance(.05) + self.spawn(t) + joined[:1] + self.write_some(t) * self.chance(.1)
        behind = self.pick([], [], [], [], [], self.access(t, "others"), self.write_some(t), [self.load("x1")]) + joined[1:]
        return before + (self.look(t) if self.chance(.85) else self.loop_with_access(t)) + behind

    def look(self, t):
        """Each turn reads, and accesses data: before, between or behind that."""
        first, second = self.register(), self.register()
        leave = lambda r: ["if", [self.pick("!=", "==", "=="), r, self.pick(1, 1, 2, 3)], [["break"]], []]
        if self.chance(.7):
            body = [self.load("x0", first), ["if", ["!=", first, 0], [["break"]], []]]
        else:
            body = [self.load("x0", first), self.pick(["if", self.condition(first), [["break"]], []], ["if", ["==", first, self.pick(1, 2)], [["break"]], []])]
        if self.chance(.6):
            more = [["load", second, self.pick(*["x1"] * 6, "x2", "x0"), self.load_order()]] + [["if", ["==", second, self.pick(1, 2, 3, 3, 3, 3)], [["break"]], []]] * self.chance(.8)
            body = body + more if self.chance(.6) else more + body
        if self.chance(.1):
            body += self.extra(t)
        for _ in range(self.pick(1, 1, 1, 2)):
            place = self.pick(*range(2, len(body) + 1), len(body)) if self.chance(.85) else self.pick(0, 1)
            body[place:place] = self.access(t, "loops")
        if self.chance(.15):
            return [["for", self.counter(t), self.pick(2, 3), body]]
        return [["ever", body]]

    def loop_with_access(self, t):
        """A loop of any kind."""
        body = self.loop(t)
        turns = [s[3] if s[0] == "for" else s[1] for s in body if s[0] in ("for", "ever", "do")]
        for turn in turns:
            place = self.rng.randint(0, len(turn))
            turn[place:place] = self.access(t, "loops")
        return body

    def write_some(self, t):
        return [self.store(self.pick("x0", "x0", "x0", "x1", "x2"), self.pick(1, 1, 1, 2, 0))] if self.chance(.8) else [self.write(self.pick("x0", "x1"), self.pick(1, 1, 2))]

    def goes_on(self, t):
        """Without a loop: writes what others wait for, joins those that it has created, accesses data, mostly behind a join."""
        joins = [["join", child] for child in self.children[t]]
        self.rng.shuffle(joins)
        if self.chance(.8):
            joins.sort(key=lambda join: join[1] in self.loops)
        writes = sum((self.write_some(t) for _ in range(self.pick(0, 0, 0, 1) if joins else self.pick(1, 1, 2))), [])
        if joins and self.chance(.9):
            writes.append(self.store("x0", self.pick(1, 1, 2)))
        first = [self.store(self.pick("x1", "x1", "x1", "x2"), self.pick(1, 1, 2))] if joins and self.chance(.65) else []
        if not joins:
            if self.chance(.6):  # nothing that anybody waits for
                writes = [self.store("x2", self.pick(1, 2))]
            access = self.access(t, "others") if self.chance(.05) else []
            place = self.rng.randint(0, len(writes))
            return writes[:place] + access + writes[place:] + [self.load(self.pick("x0", "x1"))] * self.chance(.15)
        body = []
        for join in joins:
            body += ([writes.pop()] if writes and self.chance(.8) else []) + [join] + (self.access(t, "others") if self.chance(.85) else [])
        spawns = self.spawn(t)
        if t == MAIN and self.chance(.15) and len(self.children[MAIN]) == len(self.given) > 1:  # some are created only when another one has ended
            last = spawns[-1]
            spawns, at = spawns[:-1], next(place for place, s in enumerate(body) if s == ["join", last[1]])
            body.insert(self.rng.randint(0, at), last)
        return self.access(t, "others") * self.chance(.05) + (first + spawns if self.chance(.5) else spawns + first) + body + writes
