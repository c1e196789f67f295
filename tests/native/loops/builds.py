"""Programs compiled into one executable, and what `ordeal` says of each."""
import json
import os
import re
import shlex
import subprocess

import emit
import hangs
import programs
from commands import Commands, NoAnswer, wrapper

HANGS = {"no-progress", "deadlock"}


class Result:
    def __init__(self, report, outcomes):
        self.verdict = report["verdict"]
        self.bounds = report.get("bounds", [])
        self.executions = report["executions"]
        self.blocked = report.get("blocked", 0)
        self.outcomes = outcomes
        self.bugs = {bug_key(bug) for bug in report["bugs"]}
        self.hangs = {key for key in self.bugs if key[0] in HANGS}
        self.errors = self.bugs - self.hangs
        self.waits = [hangs.Hang(bug) for bug in report["bugs"] if bug["kind"] == "no-progress"]
        self.cut = []  # executions, for hangs.py

    def is_limited(self):
        return any("--loop-bound" not in bound for bound in self.bounds)

    def is_cut(self):
        return any("--loop-bound" in bound for bound in self.bounds)

    def races(self):
        return {key for key in self.errors if key[0] == "data-race"}

    def has_race(self):
        return bool(self.races())

    def __str__(self):
        return f"{self.verdict}, {self.executions} executions, {self.blocked} blocked, {len(self.outcomes)} outcomes" + (f", bounds: {', '.join(self.bounds)}" if self.bounds else "")


def bug_key(bug):
    """The kind, and the variables or the condition; not the place, which a compiler may have merged with another."""
    if bug["kind"] == "assertion":
        return "assertion", bug["detail"]
    return (bug["kind"], " ".join(sorted(set(re.findall(r"(?<=')\w+|(?<=on the stack of )(?:main|thread \d+)", bug["message"]))))) if bug["kind"] not in HANGS else (bug["kind"], "")


class Skip(Exception):
    pass


class Wrong(Exception):
    """What differs: `summary` is kept while the program is made smaller."""

    def __init__(self, summary, details=()):
        super().__init__(summary)
        self.summary, self.details = summary, list(details)


def one_turn_less(program):
    """A program that has other outcomes, if turns matter."""
    other = program.copy()
    for body in other.bodies():
        for s in programs.walk(body):
            if s[0] == "for":
                s[2] -= 1
    return other


class Build:
    """Some programs, compiled into one."""

    def __init__(self, directory, name, some, options, unrolled):
        """`unrolled` says of which numbers the loops are written out, too."""
        self.programs, self.options, self.directory = some, options, directory
        self.name = name
        self.executable = directory / name
        source = directory / f"{name}.{'cpp' if options.cpp else 'c'}"
        written_out = [(one_turn_less(p) if options.self_check else p) if unrolled(number) else None for number, p in enumerate(some)]
        source.write_text(emit.translation_unit(some, options.unroll if any(written_out) else 0, written_out=written_out, lambdas=options.cpp))
        command = [wrapper(), "c++" if options.cpp else "cc", f"-{options.level}", "-g0", "-w", "-rdynamic", str(source), "-o", str(self.executable)]
        done = subprocess.run(command, env=dict(os.environ, ORDEAL_CC=options.compiler, ORDEAL_CXX={"gcc": "g++", "clang": "clang++"}.get(options.compiler, options.compiler)), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{shlex.join(command)}\n{done.stderr[-3000:]}")
        self.commands = Commands(directory, name)

    def end(self):
        self.commands.end()
        self.executable.unlink()

    def ask(self, words, wants_cut=False):
        """The report, the lines of the outcomes, and with `wants_cut` what outcomes.c says of the executions that were cut."""
        process = self.commands.take()
        process.outcomes.unlink(missing_ok=True)
        if wants_cut:
            process.blocked.touch()  # the observer writes there if it is there
        try:
            text = process.run(words, 300)
            report = json.loads(text)
        except NoAnswer as none:
            self.commands.drop(process)
            raise Wrong(*none.args) from None
        except ValueError:
            complaints = process.complaints()
            self.commands.drop(process)
            raise Wrong("no JSON", [shlex.join(words), text[:1000], complaints]) from None
        found = process.outcomes.read_text().splitlines() if process.outcomes.exists() else []
        cut = process.blocked.read_text() if wants_cut else ""
        process.blocked.unlink(missing_ok=True)
        self.commands.give_back(process)
        return report, found, cut

    def run(self, verb, arguments, number):
        words = [verb, "--json", "--observer", str(self.directory / "outcomes.so"), "--output", "/dev/null"] + arguments + [str(self.executable), str(number)]
        report, found, cut = self.ask(words, "--no-reduction" in arguments)
        if self.is_refused_for_its_race(report, number):
            raise Skip("called not deterministic for its race")
        if report["verdict"] not in ("verified", "bug", "bounded", "sampled"):
            how = " ".join([verb] + [option for option in arguments if option == "--no-reduction"])
            raise Wrong(f"verdict {report['verdict']} of {how}", [report.get("reason", "")] + [str(party) for party in report.get("parties", [])])
        if not found or not found[-1].startswith("end "):
            raise Wrong("the observer's file is not complete", [shlex.join(words), str(report)[:1000]])
        result = Result(report, set(found[:-1]))
        result.cut = hangs.executions(cut, self.programs[number % len(self.programs)].main is not None)
        seen = [int(count) for count in found[-1].split()[1:]]
        # What is learnt without a bound comes in rounds: the second pass (ADR 32) may know more than the first had, and have fewer blocked executions.
        blocked = result.blocked if "--loop-bound" in arguments else seen[1]
        # A second pass that started again and was then cut by a limit has shown that round alone; the report counts all of the first pass, too.
        if verb == "check" and not result.bugs and not result.is_limited() and seen != [result.executions, blocked, 0]:
            raise Wrong("the observer saw other executions than the report counts", [f"{seen}: complete, blocked, without an outcome", str(result)])
        return result

    def is_refused_for_its_race(self, report, number):
        """With --keep-going, an execution that ends at a failed assertion is run again in another order, comes to a race first, and is called not
        deterministic. A fault of `check`, but not one of loops: no verdict is wrong."""
        program = self.programs[number % len(self.programs)]
        then = {party["what"] for party in report.get("parties", [])}
        if program.main is not None and report["verdict"] == "cannot-check" and report.get("reason", "").startswith("not deterministic"):
            return program.has_kind("plain-load", "plain-store")
        return report["verdict"] == "cannot-check" and "then: a bug" in then and program.has_kind("assert") and program.has_kind("plain-load", "plain-store")

    def check(self, number, *more, limit=None):
        options = ["--model", self.options.model, "--keep-going", "--executions", str(limit or self.options.executions), "--time", str(self.options.time)]
        return self.run("check", options + list(more), number)
