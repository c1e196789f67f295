"""`./bench check`: executions a second of `ordeal check` on programs of two threads with ten accesses, the time from start to
verdict, and peak memory. The first choice of each program only multiplies its executions."""
import os
import pathlib
import tempfile
import time

from . import measure

PROGRAM = """
#include <atomic>
#include <thread>
#include <ordeal/ordeal.h>
std::atomic<int> x{0};
int main() {
  (void)ordeal_choose(%(times)d);
  std::thread a([] { for (int i = 1; i <= 5; ++i) %(first)s; });
  std::thread b([] { for (int i = 1; i <= 5; ++i) %(second)s; });
  a.join();
  b.join();
}
"""
ADD = "x.fetch_add(i, std::memory_order_relaxed)"
FAMILIES = {
    "adds": (ADD, ADD),
    "loads": ("x.store(i, std::memory_order_relaxed)", "(void)x.load(std::memory_order_relaxed)"),
}


def build(folder, name, times, compiler):
    first, second = FAMILIES[name]
    source = folder / f"{name}{times}.cpp"
    source.write_text(PROGRAM % {"times": times, "first": first, "second": second})
    measure.compile_program(source, folder / f"{name}{times}", compiler=compiler)
    return folder / f"{name}{times}"


def start_to_verdict(program):
    before = time.monotonic()
    measure.run([os.environ["ORDEAL"], "check", "--json", str(program)], limit=60)
    return time.monotonic() - before


def main(options):
    print(f"{'program':<8} {'executions':>12} {'seconds':>9} {'a second':>10} {'µs each':>8} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for family in FAMILIES:
            program = build(folder, family, options.times, options.compiler)
            best = min((measure.check(program, options.limit) for _ in range(options.repeat)), key=lambda result: result["seconds"])
            count, seconds = best["executions"], best["seconds"]
            print(f"{family:<8} {count:>12,} {seconds:>9.2f} {count / seconds:>10,.0f} {seconds / count * 1e6:>8.2f} {best['peak_kb'] / 1024:>8.1f}", flush=True)
        program = build(folder, "adds", 1, options.compiler)
        starts = sorted(start_to_verdict(program) for _ in range(20))
        print(f"start to verdict of 252 executions: best {starts[0] * 1e3:.1f} ms, median {starts[10] * 1e3:.1f} ms")
    return 0
