"""What there is to measure, and how it is named.

Three suites: `litmus` (families of litmus programs, benchmarks/families.cpp), `papers` (benchmarks/programs/*.cpp) and `scaling`
(families of C++ programs, benchmarks/scaling/*.cpp, compiled with -DN=…). A program of a family is called FAMILY(N). Users ask
for FAMILY, FAMILY:N or FAMILY:N,N; for a program of the papers by its name. A * stands for any letters: `papers ms-queue*`.
"""
import dataclasses
import fnmatch
import json
import os
import pathlib
import subprocess

SUITES = ("litmus", "papers", "scaling")

# The sizes of published.json, and others. A padding has 16 + 8N accesses.
PADDINGS = (1, 5, 10, 25, 50, 248)
SCALING = {
    "ainc": (4, 6, 8),
    "lockinc": (4, 6, 8),
    "readers": (10, 15),
    "wr": (4, 6),
    "lastzero": (8, 12),
    "indexer": (12, 15),
    "fib": (3, 4, 5),
    "casrot": (6, 8, 10),
    "ttas": (2, 4, 6),
    "ticket": (4, 6),
    "mcs": (2, 3, 4),
    "padding-before": PADDINGS,
    "padding-after": PADDINGS,
    "padding-before-add": PADDINGS,
    "padding-after-add": PADDINGS,
    "handover": (4, 8),
}


class UsageError(Exception):
    """What the user asked for does not exist; the text says what does."""


@dataclasses.dataclass(frozen=True)
class Program:
    suite: str
    family: str
    n: int | None = None  # None: no family, or one whose file knows its size

    @property
    def name(self):
        return self.family if self.n is None else f"{self.family}({self.n})"

    @property
    def source(self):
        return folder(self.suite) / f"{self.family}.cpp"


def folder(suite):
    return pathlib.Path(os.environ["ORDEAL_SOURCE_DIR"], "benchmarks", {"papers": "programs"}.get(suite, suite))


def sizes(suite):
    """Every family of the suite → its sizes, in the order of the table; no sizes: it is one program."""
    if suite == "litmus":
        output = subprocess.run([os.environ["ORDEAL_BENCH"], "list"], check=True, capture_output=True, text=True).stdout
        return json.loads(output)
    there = sorted(file.stem for file in folder(suite).glob("*.cpp"))
    if suite == "papers":
        return {name: () for name in there}
    ordered = [name for name in SCALING if name in there] + [name for name in there if name not in SCALING]
    return {name: SCALING.get(name, ()) for name in ordered}


def split(wanted):
    """`ainc:4,6` → "ainc", [4, 6]."""
    family, colon, numbers = wanted.partition(":")
    try:
        return family, [int(number) for number in numbers.split(",")] if colon else []
    except ValueError:
        raise UsageError(f"'{wanted}' should be a name, or FAMILY:N or FAMILY:N,N with numbers") from None


def select(suite, names):
    """The programs of a suite that have one of the names; without names, all. Each once, in the order of the suite."""
    known = sizes(suite)
    asked = {family: [] for family in known} if not names else {}
    for wanted in names:
        pattern, numbers = split(wanted)
        found = [family for family in known if fnmatch.fnmatchcase(family, pattern)]
        if not found:
            listed = ", ".join(known) if known else f"nothing (no file is in {folder(suite)})"
            raise UsageError(f"there is no '{pattern}' in {suite}; known: {listed}")
        if numbers and suite == "papers":
            raise UsageError(f"'{pattern}' of the papers has no sizes; sizes are for litmus and scaling")
        for family in found:
            asked.setdefault(family, []).extend(numbers)
    return [Program(suite, family, n) for family in known if family in asked for n in dict.fromkeys(asked[family] or known[family] or (None,))]
