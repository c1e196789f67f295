#!/usr/bin/env python3
"""Tests of benchmarks/bench. `ordeal` and `ordeal_bench` are shell scripts that say what a test wants to hear."""
import contextlib
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from bench import compare, loops, measure, programs, table  # noqa: E402
from bench.__main__ import main  # noqa: E402

# The "program" is its source, which is what `check` prints; a source `exit N` makes it fail.
ORDEAL = """#!/bin/sh
echo "$* cxx=$ORDEAL_CXX${ORDEAL_CC:+ cc=$ORDEAL_CC} in $PWD" >>"$FAKE_LOG"
case $1 in
  c++ | cc)
    for argument; do case $argument in *.c | *.cpp) source=$argument ;; esac; done
    while [ "$1" != -o ]; do shift; done
    if grep -q broken "$source"; then printf 'In file\\nx.cpp:1:2: error: made up\\n' >&2; exit 1; fi
    cp "$source" "$2" ;;
  check)
    for program; do :; done
    . "$program" ;;
esac
"""
ORDEAL_BENCH = """#!/bin/sh
case $1 in
  list) echo '{"inc": [8, 9], "sb": [10]}' ;;
  litmus) echo '{"verdict":"verified","executions":6,"blocked":2,"given_up":1,"threads":3,"events":9,"seconds":[0.5,0.25],"peak_kb":2048}' ;;
  peak) file=$2; shift 2; "$@"; code=$?; echo 5120 >"$file"; exit $code ;;
esac
"""


def result(verdict="verified", executions=24, **more):
    return {"verdict": verdict, "executions": executions, "blocked": 1, "seconds": 0.5, "threads": 3, "bugs": [], **more}


def says(**more):
    return f"echo '{json.dumps(result(**more))}'\n"


def row(name, us, suite="papers", **more):
    return {"name": name, "suite": suite, "classes": 10, "blocked": 0, "us_per_class": us, "spread": 0.01, "verdict": "verified", **more}


def runs(pid, seconds=3):
    """Whether the process goes on for so long. One that has ended may still be there: Z, until someone asks for its exit code."""
    for _ in range(seconds * 100):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state in "ZX":
            return False
        time.sleep(0.01)
    return True


class WithTree(unittest.TestCase):
    """A tree with stand-ins, and programs that a test adds."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for name, text in (("ordeal", ORDEAL), ("ordeal_bench", ORDEAL_BENCH)):
            (self.tree / name).write_text(text)
            (self.tree / name).chmod(0o755)
        for suite in ("programs", "scaling", "loops"):
            (self.tree / "benchmarks" / suite).mkdir(parents=True)
        (self.tree / "tmp").mkdir()
        environment = {"ORDEAL": str(self.tree / "ordeal"), "ORDEAL_BENCH": str(self.tree / "ordeal_bench"), "FAKE_LOG": str(self.tree / "log"),
                            "ORDEAL_SOURCE_DIR": str(self.tree), "PYTHONPATH": str(ROOT / "benchmarks"), "TMPDIR": str(self.tree / "tmp")}
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        for variable in ("ORDEAL_CXX", "ORDEAL_CC"):
            os.environ.pop(variable, None)
        os.environ.update(environment)

    def add(self, path, text=says(), suffix=".cpp"):
        (self.tree / "benchmarks" / f"{path}{suffix}").write_text(text)

    def start(self, *arguments):
        return subprocess.Popen([sys.executable, "-B", "-m", "bench", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def bench(self, *arguments):
        process = self.start(*arguments)
        output, complaints = process.communicate(timeout=60)
        self.assertEqual([], list((self.tree / "tmp").iterdir()), "left behind")
        return process.returncode, output, complaints


class Names(WithTree):
    def names(self, suite, *wanted):
        return [program.name for program in programs.select(suite, wanted)]

    def test_families_have_their_sizes_or_those_asked_for(self):
        for family in ("zebra", "ainc", "fib"):
            self.add(f"scaling/{family}")
        self.assertEqual(["ainc(4)", "ainc(6)", "ainc(8)", "fib(3)", "fib(4)", "fib(5)", "zebra"], self.names("scaling"))
        self.assertEqual(["ainc(3)", "ainc(2)", "fib(3)", "fib(4)", "fib(5)"], self.names("scaling", "fib", "ainc:3,2", "ainc:3"))
        self.assertEqual(["inc(8)", "inc(9)", "sb(10)"], self.names("litmus"))
        self.assertEqual(["inc(3)"], self.names("litmus", "i*:3"))

    def test_papers_are_named_as_their_files(self):
        for name in ("ms-queue", "ms-queue-bug", "barrier"):
            self.add(f"programs/{name}")
        self.assertEqual(["barrier", "ms-queue", "ms-queue-bug"], self.names("papers"))
        self.assertEqual(["ms-queue"], self.names("papers", "ms-queue"))
        self.assertEqual(["ms-queue", "ms-queue-bug"], self.names("papers", "ms-queue*"))

    def test_unknown_names_are_told_what_there_is(self):
        self.add("programs/barrier")
        for wanted, message in (("dekker", "known: barrier"), ("barrier:3", "has no sizes"), ("barrier:x", "should be a name")):
            with self.assertRaisesRegex(programs.UsageError, message):
                self.names("papers", wanted)

    def test_published_figures_have_default_sizes(self):
        for name in table.published()["genmc"]["scaling"]:
            family, n = name.rstrip(")").split("(")
            self.assertIn(int(n), programs.SCALING[family], name)


class Command(WithTree):
    KEYS = ["name", "threads", "events", "classes", "blocked", "seconds", "us_per_class", "peak_kb", "verdict"]

    def test_json_is_a_list_of_objects_with_the_agreed_keys(self):
        self.add("programs/barrier")
        self.add("scaling/ainc", says(events=30))
        code, output, complaints = self.bench("--json")
        self.assertEqual(0, code, complaints)
        rows = json.loads(output)
        self.assertEqual(["inc(8)", "inc(9)", "sb(10)", "barrier", "ainc(4)", "ainc(6)", "ainc(8)"], [one["name"] for one in rows])
        for one in rows:
            self.assertEqual(self.KEYS, [key for key in one if key in self.KEYS])
        self.assertEqual([24, 1, 0.5, 20000.0, 5120, None], [rows[3][key] for key in ("classes", "blocked", "seconds", "us_per_class", "peak_kb", "events")])
        self.assertEqual(30, rows[4]["events"])
        self.assertEqual([0.25, 31250.0, 1.0, 1], [rows[0][key] for key in ("seconds", "us_per_class", "spread", "given_up")])
        self.assertIn("barrier", complaints)  # the table

    def test_programs_are_compiled_once_and_checked_with_default_options(self):
        self.add("scaling/ainc")
        self.assertEqual(0, self.bench("scaling", "ainc:5", "--repeat", "2", "ainc:5", "--compiler", "clang++")[0])
        first, *others = pathlib.Path(os.environ["FAKE_LOG"]).read_text().splitlines()
        self.assertRegex(first, r"^c\+\+ -O2 -g -std=c\+\+20 -pthread -DN=5 .*/ainc.cpp -o .* cxx=clang\+\+ in ")
        self.assertEqual(2, len(others))
        self.assertRegex(others[0], rf"^check --json [^ ]* cxx= in {re.escape(str(self.tree / 'tmp'))}/")

    def test_a_program_that_fails_does_not_stop_the_rest(self):
        self.add("programs/a", "broken")
        self.add("programs/b", "echo segfault >&2; exit 4")
        self.add("programs/c", says(verdict="cannot-check", reason="a futex"))
        self.add("programs/d", 'echo x >>"$FAKE_LOG.d"; echo "{\\"verdict\\":\\"bug\\",\\"executions\\":$(wc -l <"$FAKE_LOG.d"),\\"blocked\\":0,\\"threads\\":1,\\"seconds\\":1}"')
        self.add("programs/e", "sleep 5")
        self.add("programs/f", says(verdict="bug"))
        code, output, complaints = self.bench("papers", "--json", "--limit", "0.3")
        self.assertEqual(1, code)
        found = {one["name"]: (one["verdict"], one.get("error")) for one in json.loads(output)}
        self.assertEqual(("failed", "does not compile: x.cpp:1:2: error: made up"), found["a"])
        self.assertEqual(("failed", "exit code 4: segfault"), found["b"])
        self.assertEqual(("cannot-check", "a futex"), found["c"])
        self.assertRegex(found["d"][1], "not the same in every run")
        self.assertEqual(("bounded", "stopped after 0.3 s"), found["e"])
        self.assertEqual(("bug", None), found["f"])
        self.assertIn("bench: not measured: a, b, c, d, e\n", complaints)

    def test_wrong_usage_is_explained(self):
        self.add("programs/barrier")
        for arguments, message in ((["dekker"], "known: all, litmus, papers"), (["papers", "x"], "known: barrier"),
                                   (["scaling"], "no programs"), (["compare", "none.json", "none.json"], "cannot read 'none.json'")):
            with self.assertRaisesRegex(programs.UsageError, message):
                main(arguments)
        for arguments, message in ((["papers", "--repeat", "0"], "from 1 to 1000"), (["papers", "--model", "sc"], "unrecognized")):
            complaints = io.StringIO()
            with self.assertRaisesRegex(SystemExit, "2"), contextlib.redirect_stderr(complaints):
                main(arguments)
            self.assertIn(message, complaints.getvalue())
        self.assertEqual((2, "", "bench: there is no 'x' in papers; known: barrier\n"), self.bench("papers", "x"))

    def test_ctrl_c_prints_what_there_is(self):
        self.add("programs/a")
        self.add("programs/b", 'echo $$ >"$FAKE_LOG.part" && mv "$FAKE_LOG.part" "$FAKE_LOG.b"; sleep 30')
        sleeping = pathlib.Path(os.environ["FAKE_LOG"] + ".b")
        process = self.start("papers", "--json", "--repeat", "1")
        while not sleeping.exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, complaints = process.communicate(timeout=20)
        self.assertEqual(130, process.returncode)
        self.assertEqual(["a"], [one["name"] for one in json.loads(output)])
        self.assertIn("1 of 2 programs", complaints)
        self.assertFalse(runs(int(sleeping.read_text())), "what was measured still runs")


class Loops(WithTree):
    """./bench loops."""

    def names(self, *wanted):
        return [row.name for row in loops.select(wanted)]

    def test_rows_are_chosen_by_program_or_by_program_and_flags(self):
        self.assertEqual(len(loops.ROWS), len(set(self.names())))
        self.assertEqual(["treiber -DT=3", "treiber -DT=2 -DOPS=2"], self.names("treiber"))
        self.assertEqual(["treiber -DT=3", "ticket -DN=6"], self.names("treiber -DT=3", "tick*"))
        with self.assertRaisesRegex(programs.UsageError, "there is no 'list' in loops; known: msq, msq-reclaim, mpmc"):
            self.names("treiber", "list")

    def test_every_row_has_a_source_and_every_figure_a_row(self):
        for file, _ in loops.ROWS:
            self.assertTrue((ROOT / "benchmarks" / file).exists(), file)
        self.assertLessEqual(set(table.published()["genmc"]["loops"]), set(self.names()))

    def test_c_and_cpp_are_checked_with_the_options_of_the_figures(self):
        self.add("loops/treiber", says(executions=2640, blocked=3000, seconds=0.02), ".c")
        self.add("scaling/ticket", says(executions=720, blocked=0, seconds=0.01))
        code, output, complaints = self.bench("loops", "treiber -DT=3", "ticket", "--repeat", "2", "--time", "7", "--compiler", "clang++", "--json")
        self.assertEqual(0, code, complaints)
        self.assertEqual([("treiber -DT=3", "loops", 2640, 3000), ("ticket -DN=6", "loops", 720, 0)],
                         [tuple(one[key] for key in ("name", "suite", "classes", "blocked")) for one in json.loads(output)])
        c, *checks, cpp = pathlib.Path(os.environ["FAKE_LOG"]).read_text().splitlines()[:4]
        self.assertRegex(c, r"^cc -O2 -g -pthread -DT=3 .*/treiber.c -o .* cc=clang in ")
        self.assertRegex(cpp, r"^c\+\+ -O2 -g -std=c\+\+20 -pthread -DN=6 .*/ticket.cpp -o .* cxx=clang\+\+ in ")
        for check in checks:
            self.assertRegex(check, r"^check --json --model rc11 --no-spurious --time 7 /")
        lines = complaints.splitlines()
        self.assertEqual(["treiber", "-DT=3", "2,640", "+", "3,565", "279", "ms", "2,640", "+", "3,000", "20", "ms", "14", "verified"], lines[1].split())
        self.assertEqual(["ticket", "-DN=6", "–", "96", "ms", "720", "10", "ms", "9.6", "verified"], lines[2].split())
        self.assertRegex(lines[3], "GenMC 0.11")

    def test_what_does_not_end_runs_once_and_what_fails_does_not_stop_the_rest(self):
        self.add("loops/treiber", says(verdict="bounded", executions=5), ".c")
        self.add("scaling/ticket", "broken")
        code, output, complaints = self.bench("loops", "treiber -DT=3", "ticket", "mcs", "--json")
        self.assertEqual(1, code)
        self.assertEqual([("bounded", 5), ("failed", None), ("failed", None)], [(one["verdict"], one["classes"]) for one in json.loads(output)])
        self.assertEqual(1, pathlib.Path(os.environ["FAKE_LOG"]).read_text().count("check --json"))
        self.assertRegex(complaints, "treiber -DT=3 .* 5 \\+ 1 +500 ms +– +bounded\n")
        self.assertIn("bench: not measured: mcs -DN=3, ticket -DN=6\n", complaints)


class TheTable(unittest.TestCase):
    def shown(self, *rows):
        stream = io.StringIO()
        printer = table.Table(stream, [programs.Program(one["suite"], one["name"]) for one in rows])
        for one in rows:
            printer.add(one)
        printer.end()
        return stream.getvalue().splitlines()

    def test_a_line_a_program_beside_what_others_need(self):
        figures = {"threads": 3, "events": None, "classes": 40320, "blocked": 0, "seconds": 0.0123, "us_per_class": 0.305, "spread": 0.254, "peak_kb": 5632, "verdict": "verified"}
        lines = self.shown({"name": "dekker-fences", "suite": "papers", **figures}, {"name": "new", "suite": "papers", "verdict": "failed", "error": "no"},
                           {"name": "ttas(4)", "suite": "scaling", **figures, "events": 25})
        self.assertEqual("program        threads  events      classes   blocked      time  µs/class  spread  peak MB  verdict   CDSChecker                GenMC", lines[0])
        self.assertEqual("dekker-fences        3       –       40,320         0   12.3 ms      0.30     25%      5.5  verified  48,636 in 8.5 s (3.22)", lines[1])
        self.assertEqual("new            failed: no", lines[2])
        self.assertEqual("", lines[3])
        self.assertEqual("ttas(4)              3      25       40,320         0   12.3 ms      0.30     25%      5.5  verified  303 × 32 µs", lines[5])
        self.assertEqual(2, sum(line.startswith(("CDSChecker:", "GenMC:")) for line in lines))

    def test_durations_have_three_digits(self):
        for seconds, text in ((2.5e-7, "0.25 µs"), (0.0004, "400 µs"), (0.9996e-3, "1 ms"), (0.99951, "1.0 s"), (75.25, "75.2 s"), (None, "–")):
            self.assertEqual(text, table.duration(seconds))

    def test_json_text_is_a_list_in_any_case(self):
        self.assertEqual([], json.loads(table.json_text([])))
        self.assertEqual([{"a": 1}, {"b": "µ"}], json.loads(table.json_text([{"a": 1}, {"b": "µ"}])))


class Compare(unittest.TestCase):
    def lines(self, *both):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("old.json", "new.json")]
            for file, rows in zip(files, both):
                file.write_text(json.dumps(rows))
            return compare.compare(*map(compare.read, files))

    def test_the_slowest_come_first_and_the_mean_is_geometric(self):
        old = [row("same", 10), row("half", 10), row("four", 10, instructions=1000)]
        new = [row("same", 10.05), row("half", 5), row("four", 40, instructions=1100)]
        lines, differs = self.lines(old, new)
        self.assertFalse(differs)
        self.assertEqual(["program", "four", "same", "half", "geometric"], [line.split()[0] for line in lines])
        self.assertEqual(["four", "10.00", "40.00", "4.000", "1.100"], lines[1].split())
        self.assertEqual(["same", "10.00", "10.05", "1.005", "~", "–"], lines[2].split())
        self.assertEqual(["half", "10.00", "5.00", "0.500", "–"], lines[3].split())
        self.assertEqual(["geometric", "mean", "1.262", "1.100"], lines[4].split())

    def test_other_verdicts_and_classes_are_marked_and_blocked_ones_only_told(self):
        for more, text, wrong in (({"verdict": "bug"}, "DIFFERS verdict: verified → bug", True), ({"classes": 1234}, "DIFFERS classes: 10 → 1,234", True),
                                  ({"blocked": 5}, "(blocked: 0 → 5)", False),
                                  ({"verdict": "failed", "classes": None, "us_per_class": None, "spread": None}, "DIFFERS verdict: verified → failed", True)):
            lines, differs = self.lines([row("a", 10)], [row("a", 10) | more])
            self.assertIn(text, lines[1])
            self.assertEqual(wrong, differs)

    def test_programs_of_one_side_and_suites_are_kept_apart(self):
        lines, differs = self.lines([row("fib(3)", 1, "litmus"), row("gone", 1)], [row("fib(3)", 2, "scaling"), row("fib(3)", 3, "litmus")])
        self.assertFalse(differs)
        self.assertEqual(["fib(3)", "1.00", "3.00", "3.000", "–"], lines[1].split())
        self.assertEqual(["only in OLD: gone", "only in NEW: fib(3)"], lines[3:])

    def test_exit_codes(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("old.json", "new.json", "bad.json")]
            for file, rows in zip(files, ([row("a", 1)], [row("a", 1, verdict="bug")], {"verdict": "verified"})):
                file.write_text(json.dumps(rows))
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual([0, 1], [compare.main(files[0], files[0]), compare.main(*files[:2])])
            with self.assertRaisesRegex(programs.UsageError, "is no output of ./bench --json"):
                compare.main(files[0], files[2])


class Rows(unittest.TestCase):
    def test_the_best_run_counts_and_blocked_executions_are_classes_too(self):
        made = measure.row(programs.Program("scaling", "ainc", 3), {**result(executions=3), "seconds": [0.006, 0.004, 0.005], "peak_kb": 1})
        self.assertEqual(("ainc(3)", 0.004, 1000.0), (made["name"], made["seconds"], made["us_per_class"]))
        self.assertAlmostEqual(0.5, made["spread"])


if __name__ == "__main__":
    unittest.main()
