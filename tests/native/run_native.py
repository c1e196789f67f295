#!/usr/bin/env python3
"""Runs `ordeal check` on the programs of this folder, of benchmarks/programs and of benchmarks/scaling, and compares with
what they say about themselves (README.md). What it verifies is run by `ordeal test`, too.

    run_native.py FILE [--compiler gcc|clang] [--level O0|O2]   one program, one configuration
    run_native.py --all [NAME…]                                 every program in its quick configurations, one a core
    run_native.py --list                                        "NAME FILE COMPILER LEVEL quick|long" for cmake/tests.cmake
    run_native.py --headers [--compiler …] [--level …]          makes ORDEAL_HEADERS for one configuration

Environment: ORDEAL, the command to test. ORDEAL_HEADERS, a folder: programs are compiled with what most of them include read
already (precompiled), which halves the time. Exit codes: 0 as expected, 77 pending, 1 anything else.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
import sampled

HERE = pathlib.Path(__file__).resolve().parent
BENCHMARKS = [HERE.parent.parent / "benchmarks" / folder for folder in ("programs", "scaling")]
COMPILERS = ("gcc", "clang")
LEVELS = ("O0", "O2")  # for which there are precompiled headers
ALL_LEVELS = ("O0", "O1", "O2", "O3")
CONFIGURATIONS = [(compiler, level) for compiler in COMPILERS for level in LEVELS]
PENDING = 77
SECONDS = 60  # for one check; the search itself takes milliseconds
PENDING_SECONDS = 15
LONG_SECONDS = 1200  # for a program with `// LONG: …`
HEADERS = ("atomic", "cassert", "mutex", "thread")


class Expectation:
    """The lines `// KEY: VALUE` at the top of a program, and its lines marked `// BUG`."""

    def __init__(self, path, configuration):
        text = path.read_text()
        self.path = str(path)  # the variable's name must not be found in the name of the file
        self.options, self.flags, self.arguments, self.files = [], [], [], []
        self.verdict = self.executions = self.blocked = self.pending = self.long = None
        self.bugs, self.shown = [], []
        for key, where, value in re.findall(r"^// ([A-Z]+)(?: \(([\w ]+)\))?: (.*)$", text, re.M):
            if not set(where.split()) <= set(configuration):
                continue
            if key == "EXPECT":
                self.read_expectation(value)
            elif key == "BLOCKED":
                self.blocked = int(value)
            elif key == "PENDING":
                self.pending = value
            elif key == "LONG":
                self.long = value
            elif key == "SHOWS":
                self.shown.append(value)
            elif key == "FILES":
                self.files = [str(path.parent / name) for name in value.split()]
            elif key in ("OPTIONS", "FLAGS", "ARGUMENTS"):
                setattr(self, key.lower(), value.split())
            elif key != "LEVELS":  # which levels_of reads
                raise SystemExit(f"{path}: unknown key {key}")
        if self.verdict is None:
            raise SystemExit(f"{path}: no line '// EXPECT: …'")
        self.lines = {n for n, line in enumerate(text.splitlines(), 1) if re.search(r"// BUG\b", line)}

    def read_expectation(self, value):
        words = value.split(None, 2)
        self.verdict = words[0]
        if words[0] == "bug":
            self.bugs.append((words[1], words[2] if len(words) > 2 else ""))
        elif words[0] in ("cannot-check", "bounded"):
            self.reason = value.partition(" ")[2]
        elif words[0] == "verified" and len(words) > 1:
            low, dots, high = words[1].partition("..")
            self.executions = (int(low), (int(high) if high else math.inf) if dots else int(low))

    def differences(self, result):
        """What is wrong with the JSON result, as sentences."""
        wrong = []
        if result["verdict"] != self.verdict:
            wrong.append(f"verdict {result['verdict']}, expected {self.verdict}")
        if self.executions is not None and not self.executions[0] <= result["executions"] <= self.executions[1]:
            low, high = self.executions
            wrong.append(f"{result['executions']} executions, expected {low if low == high else f'{low} to {high}'}")
        if self.blocked is not None and result["blocked"] != self.blocked:
            wrong.append(f"{result['blocked']} blocked, expected {self.blocked}")
        reason = "; ".join(result["bounds"] + [result.get("reason", "")] + [f"{party['name']} {party['what']}" for party in result.get("parties", [])])
        if self.verdict in ("cannot-check", "bounded") and self.reason not in reason:
            wrong.append(f"reason '{reason}', expected '{self.reason}'")
        if self.verdict != "bug" or result["verdict"] != "bug":
            return wrong + [f"bug: {bug['message']}" for bug in result["bugs"]]
        return wrong + self.differences_of_bugs(result["bugs"])

    def differences_of_bugs(self, bugs):
        wrong, left = [], list(bugs)
        for kind, words in self.bugs:
            found = next((bug for bug in left if bug["kind"] in kind.split("|") and words in (bug["message"] + bug["detail"]).replace(self.path, "")), None)
            if found is None:
                wrong.append(f"no bug of kind {kind} with '{words}' in its message")
            else:
                left.remove(found)
                wrong += self.differences_of_lines(found)
        return wrong + [f"unexpected {bug['kind']}: {bug['message']}" for bug in left]

    def differences_of_lines(self, bug):
        if not self.lines:
            return []
        lines = [party.get("line") for party in bug["threads"]] or [bug["line"]]
        return [f"{bug['kind']} at line {line}, expected one of {sorted(self.lines)}: {bug['message']}" for line in lines if line not in self.lines]


def headers_of(compiler, level):
    """The file that names them, and what the compiler made of it. (None, None): they are not used."""
    folder = os.environ.get("ORDEAL_HEADERS")
    if not folder or level not in LEVELS:
        return None, None
    headers = pathlib.Path(folder) / f"{compiler}.{level}" / "headers.h"
    return headers, headers.with_name("headers.h.gch" if compiler == "gcc" else "headers.h.pch")


def make_headers(compiler, level):
    headers, made = headers_of(compiler, level)
    headers.parent.mkdir(parents=True, exist_ok=True)
    headers.write_text("".join(f"#include <{name}>\n" for name in HEADERS))
    environment = os.environ | {"ORDEAL_CXX": "g++" if compiler == "gcc" else "clang++"}
    command = [os.environ.get("ORDEAL", "ordeal"), "c++", "-O1", "-g", "-std=c++20", f"-{level}", "-x", "c++-header", str(headers), "-o", str(made)]
    return subprocess.run(command, env=environment).returncode


def command_of(path, expectation, compiler, level, verb, options):
    command = [os.environ.get("ORDEAL", "ordeal"), verb, "--json", "--compiler", compiler]  # without --json below
    command += options + [str(path)] + expectation.files + ["--", f"-{level}"] + expectation.flags
    headers, made = headers_of(compiler, level)
    if headers and path.suffix == ".cpp" and not expectation.flags and not expectation.files:
        command += ["-include", str(headers)] if compiler == "gcc" else ["-Xclang", "-include-pch", "-Xclang", str(made)]
    return command + (["--"] + expectation.arguments if expectation.arguments else [])


def run(command, directory, seconds):
    """As subprocess.run, but the tested program too is ended when time is over."""
    process = subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
    try:
        out, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


def check(path, compiler, level):
    """Returns (exit code, text to print)."""
    expectation = Expectation(path, (compiler, level))
    command = command_of(path, expectation, compiler, level, "check", expectation.options)
    with tempfile.TemporaryDirectory(prefix="ordeal-native-") as directory:  # replay files go there
        try:
            seconds = PENDING_SECONDS if expectation.pending else LONG_SECONDS if expectation.long else SECONDS
            wrong = wrong_in(run(command, directory, seconds), expectation)
            if not wrong and expectation.verdict == "verified":
                wrong += wrong_in_sample(path, expectation, compiler, level, directory)
            if expectation.shown:
                wrong += not_shown(run([word for word in command if word != "--json"], directory, seconds).stdout, expectation.shown)
        except subprocess.TimeoutExpired as timeout:
            wrong = [f"no answer within {timeout.timeout} seconds"]
    name = f"{path.name} {compiler} -{level}"
    if expectation.pending and wrong:
        return PENDING, f"pending: {name}: {expectation.pending} ({wrong[0]})"
    if expectation.pending:
        return 1, f"FAILED: {name}: passes; remove its line '// PENDING: {expectation.pending}'"
    if wrong:
        return 1, "\n  ".join([f"FAILED: {name}"] + wrong + [" ".join(command)])
    return 0, f"passed: {name}"


def wrong_in_sample(path, expectation, compiler, level, directory):
    """What `test` finds in a program that `check` verifies. It finds it compiled already."""
    options = sampled.options_of(expectation.options)
    if options is None:
        return []
    command = command_of(path, expectation, compiler, level, "test", options)
    result, wrong = json_of(run(command, directory, SECONDS))
    wrong += sampled.differences(result) if result else []
    return wrong and wrong + [" ".join(command)]


def json_of(done):
    """The result, or None and what is wrong."""
    try:
        return json.loads(done.stdout), []
    except ValueError:
        return None, [f"exit code {done.returncode} and no JSON: {done.stdout[:500]}{done.stderr[-1500:]}"]


def wrong_in(done, expectation):
    result, wrong = json_of(done)
    if not result:
        return wrong
    wrong = expectation.differences(result)
    codes = {"verified": 0, "bug": 1, "bounded": 3, "cannot-check": 4}
    if done.returncode != codes[result["verdict"]]:
        wrong.append(f"exit code {done.returncode} for verdict {result['verdict']}")
    return wrong


def not_shown(report, texts):
    """Which texts the report for the terminal lacks, however it breaks lines."""
    report = " ".join(report.split())
    return [f"the report does not show '{text}': {report}" for text in texts if " ".join(text.split()) not in report]


def programs(folder):
    return sorted(path for path in folder.iterdir() if path.suffix in (".c", ".cpp"))


def name_of(path):
    return path.stem + ("_c" if path.suffix == ".c" else "")


def levels_of(path):
    """Those of its line `// LEVELS: …`."""
    line = re.search(r"^// LEVELS: (.*)$", path.read_text(), re.M)
    return line[1].split() if line else []


def entries():
    """(path, compiler, level, whether it is quick): all four configurations for a fifth of the programs, one for the rest,
    and what `// LEVELS: …` says; benchmarks with both compilers and -O2."""
    for path in programs(HERE):
        levels = levels_of(path)
        if levels:
            yield from ((path, compiler, level, level in levels) for compiler in COMPILERS for level in ALL_LEVELS)
            continue
        number = zlib.crc32(name_of(path).encode())
        for index, (compiler, level) in enumerate(CONFIGURATIONS):
            yield path, compiler, level, number % 5 == 0 or number // 5 % len(CONFIGURATIONS) == index
    for path in (path for folder in BENCHMARKS for path in programs(folder)):
        for compiler, level in CONFIGURATIONS:
            long = Expectation(path, (compiler, level)).long
            if level == "O2" or not long:
                yield path, compiler, level, level == "O2" and not long


def run_all(names, everything):
    chosen = [entry for entry in entries() if (entry[3] or everything) and (not names or any(name in entry[0].name for name in names))]
    counts = {0: 0, 1: 0, PENDING: 0}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for code, text in pool.map(lambda entry: check(*entry[:3]), chosen):
            counts[code] += 1
            if code != 0:
                print(text, flush=True)
    print(f"{counts[0]} passed, {counts[1]} failed, {counts[PENDING]} pending")
    return min(counts[1], 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--compiler", choices=("gcc", "clang"), default="gcc")
    parser.add_argument("--level", default="O2")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--long", action="store_true", help="with --all: every configuration")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--headers", action="store_true")
    arguments = parser.parse_args()
    if arguments.headers:
        return make_headers(arguments.compiler, arguments.level)
    if arguments.list:
        for path, compiler, level, quick in entries():
            print(name_of(path), path, compiler, level, "quick" if quick else "long")
        return 0
    if arguments.all:
        return run_all(arguments.names, arguments.long)
    worst = 0
    for name in arguments.names:
        code, text = check(pathlib.Path(name).resolve(), arguments.compiler, arguments.level)
        print(text)
        worst = code if code == 1 or worst == 0 else worst
    return worst


if __name__ == "__main__":
    sys.exit(main())
