"""One program measured: compiled once, run N times, the best run counts.

A program's row is a dict, the object of `--json`. A row of a program that could not be measured has `error`, and null where there
are no figures.
"""
import json
import os
import pathlib
import signal
import subprocess

FLAGS = ("-O2", "-g", "-std=c++20", "-pthread")
C_FLAGS = ("-O2", "-g", "-pthread")


class Failure(Exception):
    """No figures: why, and the verdict, if there is one."""

    def __init__(self, why, verdict="failed"):
        super().__init__(why)
        self.verdict = verdict


def run(command, limit, **options):
    """Exit code, output, complaints. After `limit` seconds the command gets a Ctrl-C. Ours does not reach it."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               errors="replace", start_new_session=True, **options)
    try:
        output, complaints = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        raise Failure(f"stopped after {limit:g} s", "bounded") from None
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, output, complaints


def first_line(text, containing=""):
    return next((line.strip() for line in text.splitlines() if containing in line and line.strip()), "")


def c_compiler(compiler):
    """The one that goes with a C++ compiler: g++ and gcc, clang++-15 and clang-15."""
    return compiler.replace("clang++", "clang").replace("g++", "gcc")


def compile_program(source, executable, flags=(), compiler=None, limit=300):
    verb, language_flags, variable, name = "c++", FLAGS, "ORDEAL_CXX", compiler
    if pathlib.PurePath(source).suffix == ".c":
        verb, language_flags, variable, name = "cc", C_FLAGS, "ORDEAL_CC", compiler and c_compiler(compiler)
    environment = {**os.environ, **({variable: name} if name else {})}
    code, _, complaints = run([os.environ["ORDEAL"], verb, *language_flags, *flags, str(source), "-o", str(executable)], limit, env=environment)
    if code != 0:
        raise Failure(f"does not compile: {first_line(complaints, 'error') or first_line(complaints)}")


def check(executable, limit, arguments=()):
    """What `ordeal check --json` says, default options but for the arguments, with `peak_kb`: of its largest process."""
    peak = pathlib.Path(f"{executable}.peak")
    command = [os.environ["ORDEAL_BENCH"], "peak", str(peak), os.environ["ORDEAL"], "check", "--json", *arguments, str(executable)]
    code, output, complaints = run(command, limit, cwd=peak.parent)  # a replay file goes there
    try:
        result = json.loads(output)
        result["peak_kb"] = int(peak.read_text())
    except (ValueError, OSError):
        raise Failure(f"exit code {code}: {first_line(complaints) or 'no result'}") from None
    if result["verdict"] == "cannot-check":
        raise Failure(result.get("reason", "cannot be checked"), "cannot-check")
    return result


def native(program, folder, options):
    """A compiled program: its row, and the executable."""
    executable = folder / f"{program.suite}-{program.family}-{program.n}"
    compile_program(program.source, executable, [] if program.n is None else [f"-DN={program.n}"], options.compiler)
    return row(program, merged([check(executable, options.limit) for _ in range(options.repeat)])), executable


def merged(results):
    """One result of all runs, with the seconds of each; they must say the same."""
    found = {tuple(result.get(key) for key in ("verdict", "executions", "blocked", "threads", "events")) for result in results}
    if len(found) > 1:
        raise Failure(f"not the same in every run: {sorted(map(str, found))}")
    return {**results[0], "seconds": [result["seconds"] for result in results], "peak_kb": max(result["peak_kb"] for result in results)}


def litmus(program, options):
    command = litmus_command(program, options) + ["--repeat", str(options.repeat)]
    code, output, complaints = run(command, options.limit * (options.repeat + 1))
    if code != 0:
        raise Failure(f"exit code {code}: {first_line(complaints)}")
    return row(program, json.loads(output))


def litmus_command(program, options):
    return [os.environ["ORDEAL_BENCH"], "litmus", program.family, str(program.n), "--model", options.model]


def row(program, result):
    best = min(result["seconds"])
    made = {
        "name": program.name,
        "suite": program.suite,
        "threads": result["threads"],
        "events": result.get("events"),
        "classes": result["executions"],
        "blocked": result["blocked"],
        "seconds": best,
        "us_per_class": best * 1e6 / max(1, result["executions"] + result["blocked"]),
        "spread": max(result["seconds"]) / best - 1 if best > 0 else 0,
        "peak_kb": result["peak_kb"],
        "verdict": result["verdict"],
    }
    return {**made, "given_up": result["given_up"]} if "given_up" in result else made


def failed_row(program, failure):
    figures = dict.fromkeys(("threads", "events", "classes", "blocked", "seconds", "us_per_class", "spread", "peak_kb"))
    return {"name": program.name, "suite": program.suite, **figures, "verdict": failure.verdict, "error": str(failure)}
