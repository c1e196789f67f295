"""Programs compiled into one executable, and what `ordeal` says of each."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import emit
import hangs
import programs

ORDEAL = os.environ.get("ORDEAL", "ordeal")
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
    return (bug["kind"], " ".join(sorted(set(re.findall(r"'(\w+)", bug["message"]))))) if bug["kind"] not in HANGS else (bug["kind"], "")


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
        wrapper = pathlib.Path(shutil.which(ORDEAL) or ORDEAL)
        command = [str(wrapper), "c++" if options.cpp else "cc", f"-{options.level}", "-g0", "-w", "-rdynamic", str(source), "-o", str(self.executable)]
        done = subprocess.run(command, env=dict(os.environ, ORDEAL_CC=options.compiler, ORDEAL_CXX={"gcc": "g++", "clang": "clang++"}.get(options.compiler, options.compiler)), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{shlex.join(command)}\n{done.stderr[-3000:]}")

    def run(self, verb, arguments, number):
        outcomes = self.directory / f"{self.name}.{number}.{verb}.outcomes"
        replay, blocked = (self.directory / f"{self.name}.{number}.{verb}.{what}" for what in ("replay", "blocked"))
        command = [ORDEAL, verb, "--json", "--observer", str(self.directory / "outcomes.so"), "--output", str(replay)] + arguments
        command += [str(self.executable), str(number)]
        try:
            environment = dict(os.environ, ORDEAL_LOOPS_OUTCOMES=str(outcomes), **({"ORDEAL_LOOPS_BLOCKED": str(blocked)} if "--no-reduction" in arguments else {}))
            done = subprocess.run(command, env=environment, cwd=self.directory, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            raise Wrong("no end", [shlex.join(command)]) from None
        try:
            report = json.loads(done.stdout)
        except ValueError:
            raise Wrong("no JSON", [shlex.join(command), f"exit code {done.returncode}", done.stderr[-1000:]])
        found = outcomes.read_text().splitlines() if outcomes.exists() else []
        cut = hangs.executions(blocked.read_text()) if blocked.exists() else []
        for path in (outcomes, replay, blocked):
            path.unlink(missing_ok=True)
        if self.is_refused_for_its_race(report, number):
            raise Skip("race and assertion")
        if report["verdict"] not in ("verified", "bug", "bounded", "sampled"):
            how = " ".join([verb] + [option for option in arguments if option == "--no-reduction"])
            raise Wrong(f"verdict {report['verdict']} of {how}", [report.get("reason", ""), done.stderr[-1000:]] + [str(party) for party in report.get("parties", [])])
        if not found or not found[-1].startswith("end "):
            raise Wrong("the observer's file is not complete", [shlex.join(command), done.stdout[:1000], done.stderr[-1000:]])
        result = Result(report, set(found[:-1]))
        result.cut = cut
        seen = [int(count) for count in found[-1].split()[1:]]
        if verb == "check" and not result.bugs and seen != [result.executions, result.blocked, 0]:
            raise Wrong("the observer saw other executions than the report counts", [f"{seen}: complete, blocked, without an outcome", str(result)])
        return result

    def is_refused_for_its_race(self, report, number):
        """With --keep-going, an execution that ends at a failed assertion is run again in another order, comes to a race first, and is called not
        deterministic. A fault of `check`, but not one of loops: no verdict is wrong."""
        program = self.programs[number % len(self.programs)]
        then = {party["what"] for party in report.get("parties", [])}
        return report["verdict"] == "cannot-check" and "then: a bug" in then and program.has_kind("assert") and program.has_kind("plain-load", "plain-store")

    def check(self, number, *more, limit=None):
        options = ["--model", self.options.model, "--keep-going", "--executions", str(limit or self.options.executions), "--time", str(self.options.time)]
        return self.run("check", options + list(more), number)
