#!/usr/bin/env python3
"""Random programs full of loops: what the search leaves out must change nothing (README.md here).

    run_loops.py [--seed S] [--count N] [--first I] [--compiler gcc|clang] [--level O0|O1|O2|O3] [--compare reduction,unrolled,litmus,test]

For each program (the traps by hand if I is 0, then numbers I, I + 1 … of the seed), with ORDEAL as the command:
  reduction  `check --loop-bound K` and `check --loop-bound K --no-reduction` find the same outcomes and the same bugs;
  unrolled   the program with its loops written out by hand has the same outcomes if all of them are counted, otherwise no further ones;
  litmus     `ordeal litmus` finds the same outcomes in the same way;
  test       what `ordeal test` finds, `check` finds.
A program that fails is made smaller and printed as a C file.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import emit
import litmus
import programs
import shrink
import traps

HERE = pathlib.Path(__file__).resolve().parent
ORDEAL = os.environ.get("ORDEAL", "ordeal")
HANGS = {"no-progress", "deadlock"}
COMPARISONS = ("reduction", "unrolled", "litmus", "test")


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

    def is_limited(self):
        return any("--loop-bound" not in bound for bound in self.bounds)

    def has_race(self):
        return any(kind == "data-race" for kind, _ in self.errors)

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
        source = directory / f"{name}.c"
        written_out = [(one_turn_less(p) if options.self_check else p) if unrolled(number) else None for number, p in enumerate(some)]
        source.write_text(emit.translation_unit(some, options.unroll if any(written_out) else 0, written_out=written_out))
        wrapper = pathlib.Path(shutil.which(ORDEAL) or ORDEAL)
        command = [str(wrapper), "cc", f"-{options.level}", "-g", "-w", "-rdynamic", str(source), "-o", str(self.executable)]
        done = subprocess.run(command, env=dict(os.environ, ORDEAL_CC=options.compiler), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{shlex.join(command)}\n{done.stderr[-3000:]}")

    def run(self, verb, arguments, number):
        outcomes = self.directory / f"{self.name}.{number}.{verb}.outcomes"
        replay = self.directory / f"{self.name}.{number}.{verb}.replay"
        command = [ORDEAL, verb, "--json", "--observer", str(self.directory / "outcomes.so"), "--output", str(replay)] + arguments
        command += [str(self.executable), str(number)]
        try:
            done = subprocess.run(command, env=dict(os.environ, ORDEAL_LOOPS_OUTCOMES=str(outcomes)), cwd=self.directory, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            raise Wrong("no end", [shlex.join(command)]) from None
        try:
            report = json.loads(done.stdout)
        except ValueError:
            raise Wrong("no JSON", [shlex.join(command), f"exit code {done.returncode}", done.stderr[-1000:]])
        found = outcomes.read_text().splitlines() if outcomes.exists() else []
        for path in (outcomes, replay):
            path.unlink(missing_ok=True)
        if report["verdict"] not in ("verified", "bug", "bounded", "sampled"):
            how = " ".join([verb] + [option for option in arguments if option == "--no-reduction"])
            raise Wrong(f"verdict {report['verdict']} of {how}", [report.get("reason", ""), done.stderr[-1000:]] + [str(party) for party in report.get("parties", [])])
        if not found or not found[-1].startswith("end "):
            raise Wrong("the observer's file is not complete", [shlex.join(command), done.stdout[:1000], done.stderr[-1000:]])
        result = Result(report, set(found[:-1]))
        seen = [int(count) for count in found[-1].split()[1:]]
        if verb == "check" and not result.bugs and seen != [result.executions, result.blocked, 0]:
            raise Wrong("the observer saw other executions than the report counts", [f"{seen}: complete, blocked, without an outcome", str(result)])
        return result

    def check(self, number, *more, limit=None):
        options = ["--model", self.options.model, "--keep-going", "--executions", str(limit or self.options.executions), "--time", str(self.options.time)]
        return self.run("check", options + list(more), number)


def outcome_lines(program, outcomes):
    return [f"  {emit.describe(program, outcome)}" for outcome in sorted(outcomes)[:6]] + (["  …"] if len(outcomes) > 6 else [])


def compare_outcomes(program, what, left, right, left_name, right_name, equal=True):
    """Outcomes and errors of `right` are those of `left`; if not `equal`, they are among them."""
    problems, details = [], [f"{left_name}: {left}", f"{right_name}: {right}"]
    for missing, name in ((right.outcomes - left.outcomes, left_name), (left.outcomes - right.outcomes if equal else set(), right_name)):
        if missing:
            problems.append(f"outcomes missing in {name}")
            details += [f"{len(missing)} outcomes missing in {name}:"] + outcome_lines(program, missing)
    for missing, name in ((right.errors - left.errors, left_name), (left.errors - right.errors if equal else set(), right_name)):
        if missing:
            problems.append(f"{' '.join(sorted({kind for kind, _ in missing}))} missing in {name}")
            details.append(f"bugs missing in {name}: " + ", ".join(" ".join(key) for key in sorted(missing)))
    if problems:
        raise Wrong(f"{what}: {'; '.join(problems)}", details)


def compare_reduction(build, number, program, counts):
    bound = ["--loop-bound", str(program.bound)]
    full = build.check(number, "--no-reduction", *bound)
    if full.is_limited():
        raise Skip("limit")
    reduced = build.check(number, *bound, limit=4 * build.options.executions)
    if reduced.is_limited():
        if not any("--executions" in bound for bound in reduced.bounds):
            raise Skip("limit")
        raise Wrong("reduction: the reduced search is the larger one", [f"reduced: {reduced}", f"full: {full}"])
    if reduced.has_race() and full.has_race():  # an execution ends at its race: which later stores exist at all depends on which executions are cut before it
        reduced.outcomes = full.outcomes = set()
    compare_outcomes(program, "reduction", reduced, full, "reduced", "full")
    details = [f"reduced: {reduced}", f"full: {full}"]
    if reduced.hangs - full.hangs and not any("loop-bound" in bound for bound in full.bounds):
        raise Wrong("reduction: a hang that the full search does not cut", details)
    if full.hangs - reduced.hangs:
        raise Wrong("reduction: a hang missing in reduced", details)
    if full.verdict == "verified" and reduced.verdict == "bug":
        raise Wrong("reduction: a bug of a verified program", details)
    counts["classes, full"] += full.executions + full.blocked
    counts["classes, reduced"] += reduced.executions + reduced.blocked


def compare_unrolled(build, number, program, counts):
    counted = program.is_counted()
    bound = [] if counted else ["--loop-bound", str(2 * program.visits(build.options.unroll))]
    written_out = build.check(number + len(build.programs))
    if written_out.is_limited():
        raise Skip("limit")
    loops = build.check(number, *bound, limit=4 * build.options.executions)
    if loops.is_limited():
        raise Skip("limit")
    if loops.has_race() or written_out.has_race():
        if build.options.level != "O0":
            raise Skip("races")  # of plain accesses, which the compiler may have left out
        loops.outcomes = written_out.outcomes = set()
    compare_outcomes(program, "unrolled", loops, written_out, "loops", "written out", equal=counted)
    counts["counted" if counted else "not counted"] += 1


class LitmusResult:
    """As Result."""

    def __init__(self, report, program):
        self.report = report
        self.bounds = report["bounds"]
        self.outcomes = {litmus.outcome(program, state) for state in report["states"]}
        self.errors = set()

    def __str__(self):
        return f"{self.report['executions']} executions, {self.report['blocked']} blocked, {len(self.outcomes)} outcomes" + (f", bounds: {', '.join(self.bounds)}" if self.bounds else "")


def compare_litmus(build, number, program, counts):
    try:
        text = litmus.Writer(program).test(f"program{number}")
    except litmus.Unsuitable:
        raise Skip("not a litmus test") from None
    turns = litmus.turns(program, build.options.unroll)
    command = [ORDEAL, "litmus", "--json", "--model", build.options.model, "--loop-bound", str(turns), "--executions", str(build.options.executions), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if not done.stdout:
        raise Wrong("ordeal litmus fails", [done.stderr[-1000:], text])
    interpreted = LitmusResult(json.loads(done.stdout), program)
    if any("--executions" in bound for bound in interpreted.bounds):
        raise Skip("limit")
    counted = program.is_counted()
    checked = build.check(number, *([] if counted else ["--loop-bound", str(2 * program.visits(turns))]), limit=4 * build.options.executions)
    if checked.is_limited():
        raise Skip("limit")
    has_race = checked.has_race()
    if interpreted.report["racy"] and not has_race and build.options.level == "O0":
        raise Wrong("litmus: data-race missing in check", [f"check: {checked}", f"litmus: {interpreted}"])
    if has_race and not interpreted.report["racy"] and counted:
        raise Wrong("litmus: data-race missing in litmus", [f"check: {checked}", f"litmus: {interpreted}"])
    if has_race or interpreted.report["racy"]:
        raise Skip("races")
    checked.errors = set()
    compare_outcomes(program, "litmus", checked, interpreted, "check", "litmus", equal=counted)


def compare_test(build, number, program, counts):
    counted = program.is_counted()
    checked = build.check(number, *([] if counted else ["--loop-bound", str(2 * program.visits(3))]))
    if checked.is_limited():
        raise Skip("limit")
    sampled = build.run("test", ["--executions", str(build.options.samples), "--max-events", "500"], number)
    if checked.has_race():
        raise Skip("races")
    if checked.errors:  # an execution ends at its bug: a race after it may not be reached in any
        sampled.errors = {key for key in sampled.errors if key[0] != "data-race"}
    if not counted:
        sampled.outcomes = set()
        if any("loop-bound" in bound for bound in checked.bounds):
            sampled.errors = {key for key in sampled.errors if key[0] == "data-race"}
    compare_outcomes(program, "test", checked, sampled, "check", "test", equal=False)


def is_available(comparison, options):
    if comparison != "reduction":
        return comparison != "test" or options.model == "cpp20"
    return "--no-reduction" in subprocess.run([ORDEAL, "check", "--help"], capture_output=True, text=True).stdout


class Failure:
    def __init__(self, index, program, comparison, wrong):
        self.index, self.program, self.comparison, self.wrong = index, program, comparison, wrong


class Runner:
    def __init__(self, directory, options):
        self.directory, self.options = directory, options
        self.builds = 0

    def build(self, some, unrolled):
        self.builds += 1
        return Build(self.directory, f"b{self.builds}", some, self.options, unrolled)

    @staticmethod
    def try_one(build, number, comparison, counts):
        """The Wrong, or None."""
        try:
            globals()[f"compare_{comparison}"](build, number, build.programs[number], counts)
            counts[f"{comparison}: compared"] += 1
        except Skip as skip:
            counts[f"{comparison}: skipped ({skip})"] += 1
        except Wrong as wrong:
            counts[f"{comparison}: wrong"] += 1
            return wrong
        return None

    def chunk(self, first, some, pool, every):
        """Compares programs `first` and so on: failures, counts."""
        def comparisons(number):
            return [c for place, c in enumerate(self.options.comparisons) if not place or (first + number + place) % every == 0]
        build = self.build(some, lambda number: "unrolled" in comparisons(number))

        def one(number):
            counts = collections.Counter()
            for comparison in comparisons(number):
                wrong = self.try_one(build, number, comparison, counts)
                if wrong:
                    return Failure(first + number, some[number], comparison, wrong), counts
            return None, counts
        results = list(pool.map(one, range(len(some))))
        failures = [failure for failure, _ in results if failure]
        counts = sum((counts for _, counts in results), collections.Counter())
        build.executable.unlink()
        return failures, counts

    def shrink(self, failure):
        kind = failure.wrong.summary

        def first_failing(candidates):
            for start in range(0, len(candidates), 60):
                some = candidates[start:start + 60]
                build = self.build(some, lambda number: failure.comparison == "unrolled")
                for number, program in enumerate(some):
                    wrong = self.try_one(build, number, failure.comparison, collections.Counter())
                    if wrong and wrong.summary == kind:
                        failure.wrong = wrong
                        return program
                build.executable.unlink()
            return None
        failure.program = shrink.shrink(failure.program, first_failing)

    @staticmethod
    def name(failure):
        return f"program {failure.index}" if failure.index >= 0 else f'trap "{list(traps.TRAPS)[failure.index]}"'

    def show(self, failure):
        o = self.options
        lines = [f"seed {o.seed}, {self.name(failure)}, {o.compiler} -{o.level}: {failure.wrong.summary}"] + failure.wrong.details
        bound = f" --model {o.model} --loop-bound {failure.program.bound}"
        how = {"reduction": f"check{bound} and check{bound} --no-reduction", "unrolled": "check ./loops 0 and check ./loops 1", "litmus": "check and litmus", "test": "check and test"}
        lines += [f"again: ORDEAL_CC={o.compiler} ordeal cc -{o.level} -g -w -rdynamic loops.c -o loops; ordeal {how[failure.comparison]}",
                  f"       run_loops.py --seed {o.seed} --first {max(failure.index, 0)} --count 1 --compiler {o.compiler} --level {o.level} --model {o.model} --compare {failure.comparison}"]
        comment = "".join(f"// {line}\n" for part in lines for line in part.splitlines())
        if failure.comparison == "litmus":
            comment += "/*\n" + litmus.Writer(failure.program).test("loops") + "*/\n"
        return emit.translation_unit([failure.program], o.unroll if failure.comparison == "unrolled" else 0, comment)


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, help="the first program's number")
    parser.add_argument("--count", type=int, default=50, help="how many programs")
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--level", default="O2")
    parser.add_argument("--model", default="cpp20", help="the memory model (`ordeal test` has no other)")
    parser.add_argument("--compare", help="the comparisons, by default all that ORDEAL can do")
    parser.add_argument("--every", type=int, default=3, help="the comparisons behind the first one are for each N-th program")
    parser.add_argument("--executions", type=int, default=3000, help="a program with more classes is skipped")
    parser.add_argument("--time", type=int, default=20, help="likewise, in seconds: a second line of defence")
    parser.add_argument("--samples", type=int, default=200, help="executions of `ordeal test`")
    parser.add_argument("--unroll", type=int, default=2, help="turns of a waiting loop that are written out")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--chunk", type=int, default=200, help="programs in one executable")
    parser.add_argument("--failures", type=int, default=3, help="stop after this many")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--self-check", action="store_true", help="loops are written out with a turn too few: this must be found, in a fifth of the programs")
    parser.add_argument("--emit", action="store_true", help="only print the programs")
    options = parser.parse_args(arguments)
    if options.self_check:
        options.compare, options.failures, options.no_shrink = "unrolled", options.count, True
    options.comparisons = options.compare.split(",") if options.compare else [c for c in COMPARISONS if is_available(c, options)]
    for comparison in options.comparisons:
        if comparison not in COMPARISONS:
            parser.error(f"no such comparison: {comparison}")
    return options


def main():
    options = options_of(sys.argv[1:])
    if options.emit:
        print(emit.translation_unit([programs.make(options.seed, options.first + i) for i in range(options.count)], options.unroll))
        return 0
    total, failures = collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="ordeal-loops-") as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        directory = pathlib.Path(name)
        headers = pathlib.Path(os.environ.get("ORDEAL_INCLUDE", HERE.parents[2] / "include"))
        subprocess.run([options.compiler, "-O1", "-shared", "-fPIC", f"-I{headers}", str(HERE / "outcomes.c"), "-o", str(directory / "outcomes.so")], check=True)
        runner = Runner(directory, options)
        end = options.first + options.count
        for first in ([-len(traps.TRAPS)] if not options.first else []) + list(range(options.first, end, options.chunk)):
            if first < 0:
                found, counts = runner.chunk(first, traps.make(), pool, 1)
            else:
                some = [programs.make(options.seed, index) for index in range(first, min(first + options.chunk, end))]
                found, counts = runner.chunk(first, some, pool, options.every)
            total += counts
            for failure in found[:options.failures - len(failures)] if not options.self_check else []:
                if not options.no_shrink:
                    runner.shrink(failure)
                print(runner.show(failure), flush=True)
            failures += found
            if len(failures) >= options.failures:
                break
    print(f"{options.compiler} -{options.level}, seed {options.seed}: " + ", ".join(f"{key} {value}" for key, value in sorted(total.items())))
    if options.self_check:
        return 0 if len(failures) >= options.count / 5 else 1
    for failure in failures:
        print(f"{Runner.name(failure)}: {failure.wrong.summary}")
    return min(len(failures), 1)


if __name__ == "__main__":
    sys.exit(main())
