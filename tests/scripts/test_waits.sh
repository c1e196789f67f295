#!/usr/bin/env bash
# `ordeal test`: threads that wait for ever are told, threads that wait for a time are not.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

cat >deadline.cpp <<'END'
#include <atomic>
#include <chrono>
#include <thread>
std::atomic<bool> stop{false};
int main() {
  std::thread other([] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (!stop.load() && std::chrono::steady_clock::now() < end) {
    }
  });
  other.join();
}
END
run "$ordeal" test --executions 3 deadline.cpp && exits 0
has stdout 'sampled: no bug in 3 executions'

cat >never.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<bool> stop{false};
int main() {
  std::thread other([] {
    while (!stop.load()) {
    }
  });
  other.join();
}
END
run "$ordeal" test --executions 3 never.cpp && exits 1
has stdout 'In 3 of 3 executions'
run "$ordeal" test --json --executions 3 never.cpp && exits 1
has stdout '"kind":"no-progress"'
