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
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import emit
import generator
import litmus
import shrink
import traps
from builds import Build, Skip, Wrong
from commands import ORDEAL
from compare import COMPARISONS

HERE = pathlib.Path(__file__).resolve().parent
PROGRESS = 1000  # programs, after which a line says how far it is


def is_available(comparison, options):
    if comparison != "reduction":
        return comparison != "test" or options.model == "cpp20"
    return "--no-reduction" in subprocess.run([ORDEAL, "check", "--help"], capture_output=True, text=True).stdout


class Failure:
    def __init__(self, index, program, comparison, wrong, cpp):
        self.index, self.program, self.comparison, self.wrong, self.cpp = index, program, comparison, wrong, cpp


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
            COMPARISONS[comparison](build, number, build.programs[number], counts)
            counts[f"{comparison}: compared"] += 1
        except Skip as skip:
            counts[f"{comparison}: skipped ({skip})"] += 1
        except Wrong as wrong:
            counts[f"{comparison}: wrong"] += 1
            return wrong
        return None

    def chunk(self, first, some, pool, every):
        """Compares programs `first` and so on: failures, counts."""
        self.options.cpp = self.options.language == "c++" or (self.options.language == "both" and first // self.options.chunk % 2 == 1)

        def comparisons(number):
            return [c for place, c in enumerate(self.options.comparisons) if not place or (first + number + place) % every == 0]
        build = self.build(some, lambda number: "unrolled" in comparisons(number))

        def one(number):
            counts = collections.Counter()
            for comparison in comparisons(number):
                wrong = self.try_one(build, number, comparison, counts)
                if wrong:
                    return Failure(first + number, some[number], comparison, wrong, self.options.cpp), counts
            return None, counts
        results = list(pool.map(one, range(len(some))))
        failures = [failure for failure, _ in results if failure]
        counts = sum((counts for _, counts in results), collections.Counter())
        build.end()
        return failures, counts

    def shrink(self, failure):
        kind = failure.wrong.summary
        self.options.cpp = failure.cpp

        def first_failing(candidates):
            for start in range(0, len(candidates), 60):
                some = candidates[start:start + 60]
                build = self.build(some, lambda number: failure.comparison == "unrolled")
                try:
                    for number, program in enumerate(some):
                        wrong = self.try_one(build, number, failure.comparison, collections.Counter())
                        if wrong and wrong.summary == kind:
                            failure.wrong = wrong
                            return program
                finally:
                    build.end()
            return None
        failure.program = shrink.shrink(failure.program, first_failing)

    @staticmethod
    def name(failure):
        return f"program {failure.index}" if failure.index >= 0 else f'trap "{list(traps.TRAPS)[failure.index]}"'

    def show(self, failure):
        o = self.options
        lines = [f"seed {o.seed}, {self.name(failure)}, {o.compiler} -{o.level}: {failure.wrong.summary}"] + failure.wrong.details
        self.options.cpp = failure.cpp
        bound = f" --model {o.model} --loop-bound {failure.program.bound}"
        how = {"reduction": f"check{bound} and check{bound} --no-reduction", "unrolled": "check ./loops 0 and check ./loops 1", "litmus": "check and litmus", "test": "check and test"}
        lines += [f"again: ORDEAL_{'CXX' if o.cpp else 'CC'}={o.compiler} ordeal {'c++' if o.cpp else 'cc'} -{o.level} -g -w -rdynamic loops.{'cpp' if o.cpp else 'c'} -o loops; ordeal {how[failure.comparison]}",
                  f"       run_loops.py --seed {o.seed} --first {max(failure.index, 0)} --count 1 --language {'c++' if o.cpp else 'c'} --compiler {o.compiler} --level {o.level} --model {o.model} --compare {failure.comparison}"]
        comment = "".join(f"// {line}\n" for part in lines for line in part.splitlines())
        if failure.comparison == "litmus":
            comment += "/*\n" + litmus.Writer(failure.program).test("loops") + "*/\n"
        return emit.translation_unit([failure.program], o.unroll if failure.comparison == "unrolled" else 0, comment, lambdas=o.cpp)


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, help="the first program's number")
    parser.add_argument("--count", type=int, default=50, help="how many programs")
    parser.add_argument("--shape", choices=("anything", "messages", "pairs", "joins"), help="only such programs (generator.py, joins.py); by default the first two")
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--level", default="O2")
    parser.add_argument("--language", choices=("c", "c++", "both"), default="both", help="C++ has lambdas; both: every other executable")
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


def name_of(options):
    return f"{options.compiler} -{options.level}, seed {options.seed}"


def main():
    options = options_of(sys.argv[1:])
    if options.emit:
        print(emit.translation_unit([generator.make(options.seed, options.first + i, options.shape) for i in range(options.count)], options.unroll, lambdas=options.language == "c++"))
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
                some = [generator.make(options.seed, index, options.shape) for index in range(first, min(first + options.chunk, end))]
                found, counts = runner.chunk(first, some, pool, options.every)
            total += counts
            for failure in found[:options.failures - len(failures)] if not options.self_check else []:
                if not options.no_shrink:
                    runner.shrink(failure)
                print(runner.show(failure), flush=True)
            failures += found
            if len(failures) >= options.failures:
                break
            done = min(first + options.chunk, end) - options.first
            if first >= 0 and done // PROGRESS > (first - options.first) // PROGRESS and done < options.count:
                print(f"{name_of(options)}: {done} of {options.count} programs, {len(failures)} wrong", flush=True)
    if not options.self_check:
        for failure in failures:
            print(f"{Runner.name(failure)}: {failure.wrong.summary}")
    print(f"{name_of(options)}: " + ", ".join(f"{key} {value}" for key, value in sorted(total.items())))
    if options.self_check:
        return 0 if len(failures) >= options.count / 5 else 1
    return min(len(failures), 1)


if __name__ == "__main__":
    sys.exit(main())
