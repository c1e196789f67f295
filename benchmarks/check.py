#!/usr/bin/env python3
"""`./bench check`: executions a second of `ordeal check` on programs of two threads with ten accesses, peak memory, and the
time from start to verdict. The first choice of each program only multiplies its executions."""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

ORDEAL = os.environ["ORDEAL"]
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


def build(folder, name, times):
    first, second = FAMILIES[name]
    source = folder / f"{name}{times}.cpp"
    source.write_text(PROGRAM % {"times": times, "first": first, "second": second})
    program = folder / f"{name}{times}"
    subprocess.run([ORDEAL, "c++", "-O2", "-g", "-pthread", source, "-o", program], check=True)
    return program


def run(program):
    """What the check prints as JSON, and the seconds from its start to its end."""
    before = time.monotonic()
    output = subprocess.run([ORDEAL, "check", "--json", program], check=True, capture_output=True, text=True).stdout
    seconds = time.monotonic() - before
    return json.loads(output), seconds


def main():
    parser = argparse.ArgumentParser(prog="bench check", description=__doc__)
    parser.add_argument("--times", type=int, default=1000, help="252 executions each (default 1000; 40000 are 10 million executions)")
    parser.add_argument("--repeat", type=int, default=3, help="the best run counts (default 3)")
    options = parser.parse_args()
    print(f"{'program':<8} {'executions':>12} {'seconds':>9} {'a second':>10} {'µs each':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for family in FAMILIES:
            program = build(folder, family, options.times)
            results = [run(program)[0] for _ in range(options.repeat)]
            best = min(results, key=lambda result: result["seconds"])
            count, seconds = best["executions"], best["seconds"]
            print(f"{family:<8} {count:>12,} {seconds:>9.2f} {count / seconds:>10,.0f} {seconds / count * 1e6:>8.2f}", flush=True)
        program = build(folder, "adds", 1)
        starts = sorted(run(program)[1] for _ in range(20))
        print(f"start to verdict of 252 executions: best {starts[0] * 1e3:.1f} ms, median {starts[10] * 1e3:.1f} ms")
    print(f"peak memory of any process: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.1f} MB (compilers included)")


main()
