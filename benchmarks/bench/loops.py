"""`./bench loops`: structures with retry and waiting loops (benchmarks/loops, and some of benchmarks/scaling) beside GenMC, which cuts
their redundant turns: complete + blocked executions, and seconds. The same source for both, rc11, no spurious failures.

The row that reclaims nodes is our own program. GenMC's figures for such a queue rest on annotations (which compare-exchanges help), which
Ordeal does not take: no like is compared with like there.
"""
import dataclasses
import fnmatch
import os
import pathlib
import sys
import tempfile

from . import measure
from .programs import UsageError
from .table import NONE, duration, grouped, json_text, published

OPTIONS = ("--model", "rc11", "--no-spurious")
# The source, and the flags of each row.
ROWS = (
    ("loops/msq.c", "-DT=3"),
    ("loops/msq.c", "-DT=2 -DOPS=2"),
    ("loops/msq.c", "-DT=4 -DSPLIT"),
    ("loops/msq-reclaim.c", "-DT=2"),
    ("loops/msq-reclaim.c", "-DT=3"),
    ("loops/mpmc.c", "-DP=2 -DC=2 -DITEMS=2"),
    ("loops/mpmc.c", "-DP=3 -DC=3 -DITEMS=1"),
    ("loops/mpmc.c", "-DP=2 -DC=2 -DITEMS=3"),
    ("loops/treiber.c", "-DT=3"),
    ("loops/treiber.c", "-DT=2 -DOPS=2"),
    ("loops/spsc.c", "-DN=6"),
    ("loops/spsc.c", "-DN=10"),
    ("loops/spsctry.c", "-DN=6"),
    ("loops/hashmap.c", "-DT=3"),
    ("loops/hashmap.c", "-DT=4"),
    ("loops/maplock.c", "-DT=3"),
    ("loops/maplock.c", "-DT=4"),
    ("loops/rcu.c", "-DR=2 -DSECTIONS=2 -DUPDATES=2"),
    ("loops/rcu.c", "-DR=3 -DSECTIONS=2 -DUPDATES=2"),
    ("scaling/mcs.cpp", "-DN=3"),
    ("scaling/ttas-load-first.cpp", "-DN=4"),
    ("scaling/ticket.cpp", "-DN=6"),
)
FOOTERS = (
    "complete + blocked executions; GenMC 0.11 with -disable-sr on a machine of the usual kind, processor seconds of the whole process",
    "ratio: GenMC's seconds by ours, so above 1 Ordeal is faster; msq-reclaim: GenMC on another source, with helping annotated",
)


@dataclasses.dataclass(frozen=True)
class Loop:
    file: str
    flags: str
    suite: str = "loops"

    @property
    def family(self):
        return pathlib.PurePath(self.file).stem

    @property
    def name(self):
        return f"{self.family} {self.flags}"

    @property
    def source(self):
        return pathlib.Path(os.environ["ORDEAL_SOURCE_DIR"], "benchmarks", self.file)


def select(names):
    """The rows whose program, or program and flags, one of the names is; without names, all."""
    rows = [Loop(*row) for row in ROWS]
    for name in names:
        if not any(fnmatch.fnmatchcase(text, name) for row in rows for text in (row.family, row.name)):
            raise UsageError(f"there is no '{name}' in loops; known: {', '.join(dict.fromkeys(row.family for row in rows))}")
    return [row for row in rows if not names or any(fnmatch.fnmatchcase(text, name) for name in names for text in (row.family, row.name))]


def measured(program, folder, options):
    """The row of a program. A search that the time limit ends is not repeated, and has the verdict `bounded`."""
    executable = folder / program.name.replace(" ", "")
    try:
        measure.compile_program(program.source, executable, program.flags.split(), options.compiler)
        arguments = (*OPTIONS, "--time", f"{options.time:g}")
        results = []
        for _ in range(options.repeat):
            results.append(measure.check(executable, options.time + 30, arguments))
            if results[-1]["verdict"] == "bounded":
                results = results[-1:]
                break
        return measure.row(program, measure.merged(results))
    except measure.Failure as failure:
        return measure.failed_row(program, failure)


def executions(complete, blocked):
    if complete is None:
        return NONE
    return f"{grouped(complete)} + {grouped(blocked)}" if blocked else grouped(complete)


def ratio(row, figures):
    """How often our time goes into GenMC's, where both ended."""
    if not figures.get("seconds") or not row["seconds"] or row["verdict"] == "bounded":
        return NONE
    times = figures["seconds"] / row["seconds"]
    return f"{times:,.0f}" if times >= 10 else f"{times:.1f}"


class Table:
    def __init__(self, stream, programs):
        self.stream, self.figures = stream, published()["genmc"]["loops"]
        self.name_width = max(len(program.name) for program in programs)

    def line(self, *cells):
        name, theirs, their_time, ours, our_time, times, verdict = cells
        print(f"{name:<{self.name_width}}  {theirs:>18}  {their_time:>8}  {ours:>20}  {our_time:>8}  {times:>6}  {verdict}".rstrip(), file=self.stream, flush=True)

    def begin(self):
        self.line("program", "GenMC", "time", "Ordeal", "time", "ratio", "verdict")

    def add(self, row):
        theirs = self.figures.get(row["name"], {})
        columns = (row["name"], executions(theirs.get("executions"), theirs.get("blocked")), duration(theirs.get("seconds")))
        if "error" in row:
            self.line(*columns, NONE, NONE, NONE, f"{row['verdict']}: {row['error']}")
            return
        self.line(*columns, executions(row["classes"], row["blocked"]), duration(row["seconds"]), ratio(row, theirs), row["verdict"])

    def end(self):
        for footer in FOOTERS:
            print(footer, file=self.stream)


def main(options):
    programs = select(options.names)
    table = Table(sys.stderr if options.json else sys.stdout, programs)
    rows = []
    table.begin()
    with tempfile.TemporaryDirectory(prefix="ordeal-bench-") as name:
        for program in programs:
            rows.append(measured(program, pathlib.Path(name), options))
            table.add(rows[-1])
    table.end()
    if options.json:
        print(json_text(rows))
    failed = [row["name"] for row in rows if "error" in row]
    if failed:
        print(f"bench: not measured: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0
