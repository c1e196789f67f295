#!/usr/bin/env python3
"""Litmus tests as native programs: the same states and the same number of classes as the oracle found.

    run_litmus.py [--compiler gcc|clang] [--level O2] [--count N] [--keep FILE]

The simple ones of tests/litmus (no loops; final memory is not observed) become one C++ program, which runs the test that its
first argument names and computes the number of the final state. For each test and model there are two checks:
  - `any MASK`: the state is one of the oracle's (an assertion): verified, with the oracle's number of executions; and `ordeal test` finds nothing either;
  - `each`: every state fails an assertion of its own, with --keep-going: all of the oracle's states turn up, and together as
    often as there are executions.
Numbers and states come from NAME.expect, which the brute-force oracle made. --count takes N tests, spread over the corpus.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))
import sampled

CORPUS = HERE.parents[1] / "litmus"
MODELS = ("cpp20", "rc11")
MAX_STATES = 32
ALWAYS = {"SB", "SB+scs", "MP", "IRIW+scs", "IRIW+rlx-scs", "Z6.U", "SC+eco", "2+2W", "CoRR", "WRC+rel+acq.rel+acq", "2.CAS", "3.fetch_add"}


class Unsuitable(Exception):
    pass


class Litmus:
    def __init__(self, path):
        text = path.read_text()
        self.name = path.stem
        if re.search(r"\b(while|for|do|goto|assume|mutex|lock)\b", re.sub(r'".*?"', "", text)):
            raise Unsuitable("loops or locks")
        initial = re.search(r"^\{(.*)\}\s*$", text, re.M)
        if not initial or re.search(r"[*&\[]", initial.group(1)):
            raise Unsuitable("initial state")
        self.initial = re.findall(r"(\w+) = (-?\d+);", initial.group(1))
        self.threads = re.findall(r"^P\d+ \(([^)]*)\) \{\n(.*?)^\}", text, re.M | re.S)
        if len(self.threads) != len(re.findall(r"^P\d+", text, re.M)) or not 1 < len(self.threads) < 8:
            raise Unsuitable("threads")
        self.read_expectation(path.with_suffix(".expect").read_text())
        self.find_observed()

    def read_expectation(self, text):
        facts = dict(re.findall(r"^([\w +]+): ?(.*)$", text, re.M))
        if facts.get("racy") != "no":
            raise Unsuitable("racy")
        self.executions = {model: int(facts[f"executions {model}"]) for model in MODELS}
        states = {model: [s for s in facts[f"states {model}"].split("; ") if s] for model in MODELS}
        self.all_states = sorted(set(sum(states.values(), [])))
        self.states = {model: {self.all_states.index(state) for state in states[model]} for model in MODELS}
        if not 0 < len(self.all_states) <= MAX_STATES:
            raise Unsuitable("number of states")

    def find_observed(self):
        self.observed = [pair.split("=")[0] for pair in self.all_states[0].split()]
        for name in self.observed:
            thread, _, register = name.partition(":")
            if not register or not re.search(rf"^  int {register}\b", self.threads[int(thread)][1], re.M):
                raise Unsuitable("observes what is no local variable of a thread")

    def type_of(self, location):
        types = {t for parameters, _ in self.threads for t, name in re.findall(r"(\w+)\* (\w+)", parameters) if name == location}
        if len(types) > 1 or not types <= {"int", "atomic_int"}:
            raise Unsuitable("types")
        return types.pop() if types else "int"

    def code(self, number):
        """A namespace with `int state()`."""
        out = [f"// {self.name}", f"namespace t{number} {{"]
        out += [f"{self.type_of(name)} {name}{{{value}}};" for name, value in self.initial]
        out += [f"int o{i};" for i in range(len(self.observed))]
        for t, (parameters, body) in enumerate(self.threads):
            out += [f"void p{t}({parameters}) {{", body.rstrip("\n")]
            out += [f"  o{i} = {name.split(':')[1]};" for i, name in enumerate(self.observed) if name.split(":")[0] == str(t)] + ["}"]
        out.append("int state() {")
        for t, (parameters, _) in enumerate(self.threads):
            arguments = ", ".join("&" + name for _, name in re.findall(r"(\w+)\* (\w+)", parameters))
            out.append(f"  thread thread{t}([] {{ p{t}({arguments}); }});")
        out += [f"  thread{t}.join();" for t in range(len(self.threads))]
        for index, state in enumerate(self.all_states):
            test = " && ".join(f"o{i} == {pair.split('=')[1]}" for i, pair in enumerate(state.split()))
            out.append(f"  if ({test}) return {index};")
        return "\n".join(out + ["  return -1;", "}", f"}}  // namespace t{number}", ""])


def program(tests):
    calls = "\n".join(f'  if (!strcmp(arguments[1], "{test.name}")) state = t{n}::state();' for n, test in enumerate(tests))
    cases = "\n".join(f'    case {i}: assert(!"state {i}"); break;' for i in range(MAX_STATES))
    return f"""// Made by run_litmus.py.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>
using namespace std;

{"".join(test.code(n) for n, test in enumerate(tests))}
int main(int count, char** arguments) {{
  int state = -2;
{calls}
  assert(state != -2 && "no such test");
  assert(state != -1 && "a state that the oracle does not know");
  if (count > 3) {{
    assert(strtoull(arguments[3], nullptr, 10) >> state & 1);
    return 0;
  }}
  switch (state) {{
{cases}
  }}
}}
"""


def suitable_tests(count):
    tests = []
    for path in sorted(CORPUS.rglob("*.litmus")):
        try:
            test = Litmus(path)
            test.code(0)
            tests.append(test)
        except Unsuitable:
            pass
    chosen = sorted(tests, key=lambda test: (test.name not in ALWAYS, zlib.crc32(test.name.encode())))
    return chosen[:count] if count else chosen


class Runner:
    def __init__(self, source, compiler, level):
        self.ordeal, self.command = os.environ.get("ORDEAL", "ordeal"), ["--json", "--compiler", compiler, str(source)]
        self.behind = ["--", f"-{level}", "-std=c++20", "--"]
        self.directory = source.parent

    def run(self, options, arguments, verb="check"):
        done = subprocess.run([self.ordeal, verb] + self.command + options + self.behind + arguments, cwd=self.directory, capture_output=True, text=True, timeout=300)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise SystemExit(f"{' '.join(done.args)}: exit code {done.returncode}, no JSON\n{done.stderr[-2000:]}")

    def differences(self, test, model):
        wrong = []
        mask = sum(1 << state for state in test.states[model])
        any_of = self.run(["--model", model], [test.name, "any", str(mask)])
        if (any_of["verdict"], any_of["executions"], any_of["blocked"]) != ("verified", test.executions[model], 0):
            wrong.append(f"{any_of['verdict']}, {any_of['executions']} executions, {any_of['blocked']} blocked; the oracle has {test.executions[model]} executions")
        elif model == "cpp20":
            wrong += sampled.differences(self.run(sampled.options_of([]), [test.name, "any", str(mask)], "test"))
        each = self.run(["--model", model, "--keep-going", "--output", f"{zlib.crc32((test.name + model).encode())}.replay"], [test.name, "each"])
        counts = {int(re.search(r"state (\d+)", bug["detail"] + " state 99").group(1)): bug["count"] for bug in each["bugs"]}
        for state in set(counts) - test.states[model]:
            wrong.append(f"state {state} ({dict(enumerate(test.all_states)).get(state)}) is not the oracle's")
        for state in test.states[model] - set(counts):
            wrong.append(f"state {state} ({test.all_states[state]}) does not turn up")
        if sum(counts.values()) != test.executions[model]:
            wrong.append(f"{sum(counts.values())} executions end in a state; the oracle has {test.executions[model]}")
        return [f"{test.name} {model}: {text}" for text in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--level", default="O2")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--keep", help="only write the program to this file")
    arguments = parser.parse_args()
    tests = suitable_tests(arguments.count)
    if len(tests) < 40:
        raise SystemExit(f"only {len(tests)} suitable litmus tests")
    if arguments.keep:
        pathlib.Path(arguments.keep).write_text(program(tests))
        return 0
    with tempfile.TemporaryDirectory(prefix="ordeal-litmus-") as directory:
        source = pathlib.Path(directory) / "litmus.cpp"
        source.write_text(program(tests))
        runner = Runner(source, arguments.compiler, arguments.level)
        runner.run([], [tests[0].name, "any", str(2**32 - 1)])  # compiles
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            work = [(test, model) for test in tests for model in MODELS]
            wrong = sum(pool.map(lambda item: runner.differences(*item), work), [])
    print("\n".join(wrong + [f"{len(tests)} litmus tests, {len(wrong)} differences"]))
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main())
