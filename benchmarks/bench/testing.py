"""`./bench test`: random testing. How often bugs show, how long an execution takes; programs of length beside stock ThreadSanitizer,
both on one core in the same run; growth with the length of an execution."""
import json
import os
import pathlib
import resource
import subprocess
import tempfile

from . import measure

# Programs with a bug: the folder they are in, and the published rate of C11Tester (its table 2, and section 8.1), in per cent.
RATES = (
    ("barrier-bug", "testing", 76.6),
    ("chase-lev-bug", "programs", 94.6),
    ("dekker-fences-bug", "testing", 21.6),
    ("linuxrwlocks-bug", "testing", 86.2),
    ("mcs-lock-bug", "testing", 89.4),
    ("mpmc-queue-bug", "testing", 59.4),
    ("ms-queue-bug", "testing", 100.0),
    ("seqlock-bug", "programs", 28.8),
    ("rwlock-bug", "programs", 55.3),
)
STRATEGIES = ("random", "pct", "portfolio")
CORRECT = ("barrier", "chase-lev", "dekker-fences", "linuxrwlocks", "mcs-lock", "mpmc-queue", "ms-queue", "seqlock")
LONG = ("spsc-ring", "mutex-queue", "compute", "malloc-free")
GROWTH = ("stores-loads", "adds")


def test(executable, arguments, limit):
    """What `ordeal test --json` says, with `peak_kb` of its largest process."""
    peak = pathlib.Path(f"{executable}.peak")
    command = [os.environ["ORDEAL_BENCH"], "peak", str(peak), os.environ["ORDEAL"], "test", "--json", *arguments, str(executable)]
    code, output, complaints = measure.run(command, limit, cwd=peak.parent)
    try:
        return {**json.loads(output), "peak_kb": int(peak.read_text())}
    except ValueError:
        raise measure.Failure(measure.first_line(complaints) or f"exit code {code}") from None


def row(name, result, **more):
    executions = result["executions"]
    return {"name": name, "threads": result["threads"], "events": result["events"], "classes": executions, "blocked": 0,
            "seconds": result["seconds"], "us_per_class": result["seconds"] / max(executions, 1) * 1e6, "peak_kb": result["peak_kb"],
            "verdict": result["verdict"], **more}


def processor_time(action):
    """What it returns, and the seconds of processor time that its processes take, start included: others may use the machine, too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Bench:
    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.source = pathlib.Path(os.environ["ORDEAL_SOURCE_DIR"]) / "benchmarks"
        self.rows = []

    def build(self, name, source, flags=()):
        measure.compile_program(self.source / source, self.folder / name, flags, self.options.compiler)
        return self.folder / name

    def tell(self, text):
        print(text, flush=True, file=self.options.stream)

    def best(self, executable, arguments):
        return min((test(executable, arguments, self.options.limit) for _ in range(self.options.repeat)), key=lambda result: result["seconds"])

    def rates(self):
        self.tell(f"{'bug':<23} {'published':>9} {'random':>8} {'pct':>8} {'default':>8} {'µs an execution':>16}")
        for name, folder, published in RATES:
            program = self.build(name, f"{folder}/{name}.cpp")
            rates = []
            for strategy in STRATEGIES:
                result = test(program, ("--executions", str(self.options.executions), "--strategy", strategy), self.options.limit)
                rates.append(100 * result["failed"] / result["executions"])
            self.rows.append(row(name, result, rate=rates[2], rate_pct=rates[1], rate_random=rates[0], published=published))
            self.tell(f"{name:<23} {published:>8.1f}% {rates[0]:>7.1f}% {rates[1]:>7.1f}% {rates[2]:>7.1f}% {result['seconds'] / result['executions'] * 1e6:>16.1f}")

    def correct(self):
        self.tell(f"\n{'no bug':<23} {'executions':>10} {'µs an execution':>16}  verdict")
        for name in CORRECT:
            result = test(self.build(name, f"programs/{name}.cpp"), ("--executions", "10000"), self.options.limit)
            self.rows.append(row(name, result))
            self.tell(f"{name:<23} {result['executions']:>10,} {result['seconds'] / result['executions'] * 1e6:>16.1f}  {result['verdict']}")

    def sanitized(self, name):
        executable = self.folder / f"{name}-tsan"
        command = [self.options.compiler, *measure.FLAGS, "-fsanitize=thread", str(self.source / f"testing/{name}.cpp"), "-o", str(executable)]
        if subprocess.run(command, check=False, capture_output=True).returncode != 0:
            raise measure.Failure("does not compile with ThreadSanitizer")
        return executable

    def run_sanitized(self, executable):
        code, _, complaints = measure.run([str(executable)], self.options.limit)
        if code != 0:
            raise measure.Failure(f"ThreadSanitizer: {measure.first_line(complaints)}")

    def long(self):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core, for both
        self.tell(f"\n{'one core':<14} {'time':>9} {'ThreadSanitizer':>16} {'ratio':>6} {'atomics':>10} {'ns an atomic':>13} {'peak MB':>8}")
        for name in LONG:
            program, sanitized = self.build(name, f"testing/{name}.cpp"), self.sanitized(name)
            ours, theirs = [], []
            for _ in range(self.options.repeat):  # in turns: the machine's speed varies
                result, seconds = processor_time(lambda: test(program, ("--executions", "1", "--strategy", "random"), self.options.limit))
                ours.append({**result, "seconds": seconds})
                theirs.append(processor_time(lambda: self.run_sanitized(sanitized))[1])
            best = min(ours, key=lambda result: result["seconds"])
            each = best["seconds"] / max(best["atomics"], 1) * 1e9
            self.rows.append(row(name, best, thread_sanitizer=min(theirs), ns_per_atomic=each))
            shown = f"{each:.0f}" if best["atomics"] > 1000 else ""
            self.tell(f"{name:<14} {best['seconds']:>8.3f}s {min(theirs):>15.3f}s {best['seconds'] / min(theirs):>6.2f} {best['atomics']:>10,} {shown:>13} {best['peak_kb'] / 1024:>8.1f}")

    def growth(self):
        self.tell(f"\n{'growth':<14} {'N':>9} {'time':>9} {'ns an operation':>16} {'peak MB':>8}")
        for name in GROWTH:
            for n in (10_000, 100_000, 1_000_000):
                result = self.best(self.build(f"{name}-{n}", f"testing/{name}.cpp", (f"-DN={n}",)), ("--executions", "1", "--strategy", "random"))
                if result["verdict"] != "sampled":
                    raise SystemExit(f"bench: {name} with N = {n} should have no bug, and has: {result['verdict']}")
                each = result["seconds"] / max(result["events"], 1) * 1e9
                self.rows.append(row(f"{name}({n})", result))
                self.tell(f"{name:<14} {n:>9,} {result['seconds']:>8.3f}s {each:>16.0f} {result['peak_kb'] / 1024:>8.1f}")


def main(options):
    with tempfile.TemporaryDirectory(prefix="ordeal-bench-") as name:
        bench = Bench(pathlib.Path(name), options)
        bench.rates()
        bench.correct()
        bench.growth()
        bench.long()
        if options.json:
            print(json.dumps(bench.rows, indent=1))
    return 0
