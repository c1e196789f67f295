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

# A loop that only loads, and ends, makes progress: it counts, in a register or in memory of its own. One that counts and never ends does not.
cat >counting.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x{0}, never{0};
int main() {
  std::thread writer([] { x.store(1, std::memory_order_relaxed); });
  std::thread reader([] {
    COUNT i = 0;
    for (; i < LAST || never.load(std::memory_order_relaxed) == ENDS; ++i) (void)x.load(std::memory_order_relaxed);
  });
  writer.join();
  reader.join();
}
END
for level in -O0 -O2; do
  run "$ordeal" test --quiet --executions 3 counting.cpp -- $level -DCOUNT=int -DLAST=1000000 -DENDS=1 && exits 0
done
run "$ordeal" test --quiet --executions 3 counting.cpp -- -O2 '-DCOUNT=volatile int' -DLAST=1000000 -DENDS=1 && exits 0
run "$ordeal" test --quiet --executions 1 counting.cpp -- -O2 '-DCOUNT=unsigned' -DLAST=0 -DENDS=0 && exits 1 && has stdout 'bug: 1 bug'

# The counter may lie anywhere; if what is written stays the same, nothing makes progress.
cat >counting_elsewhere.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x{0};
int global;
__attribute__((noinline)) bool is_enough(int* count) { return (*count += STEP) == 1000000; }
int main() {
  int *heap = new int(0), of_main = 0;
  int* count = WHERE;
  std::thread reader([count] {
    while (x.load(std::memory_order_relaxed) == 0 && !is_enough(count)) {
    }
  });
  reader.join();
  delete heap;
  return of_main == 77;
}
END
for where in '&global' heap '&of_main'; do
  run "$ordeal" test --quiet --executions 2 counting_elsewhere.cpp -- -O2 "-DWHERE=$where" -DSTEP=1 && exits 0
  run "$ordeal" test --quiet --executions 1 --max-events 1000000 counting_elsewhere.cpp -- -O2 "-DWHERE=$where" -DSTEP=0 && exits 1 && has stdout 'bug: 1 bug'
done

# A wait with a time limit ends, whatever others do meanwhile: they go round a loop until it has, change something there, or wait so themselves.
cat >limits.cpp <<'END'
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <thread>
using namespace std::chrono_literals;
std::atomic<bool> done{false}, never{false};
std::atomic<long> work{0};
std::mutex mutex;
std::timed_mutex held;
std::condition_variable condition;
std::counting_semaphore<4> semaphore(0);
void poll(std::atomic<bool>& flag) {
  std::mutex own;
  std::condition_variable nobodys;
  std::unique_lock lock(own);
  while (!flag) nobodys.wait_for(lock, 1ms);
}
int main() {
  held.lock();
  std::thread other([] {
    if (HOW == 1) held.try_lock_for(10ms);
    if (HOW == 2) (void)semaphore.try_acquire_for(10ms);
    if (HOW == 3) poll(never);
    std::unique_lock lock(mutex);
    condition.wait_for(lock, 10ms);
    done = true;
  });
  std::thread third([] {
    if (HOW == 4) poll(done);
  });
  while (HOW != 4 && !done)
    if (HOW == 5) ++work;
  third.join();
  other.join();
}
END
for how in 0 1 2 4 5; do
  run "$ordeal" test --executions 20 limits.cpp -- -DHOW=$how && exits 0
  has stdout 'sampled: no bug in 20 executions'
  run "$ordeal" test --real-time --executions 2 limits.cpp -- -DHOW=$how && exits 0
  has stdout 'sampled: no bug in 2 executions'
done
# Who polls with a time limit for what nobody stores makes no progress.
run "$ordeal" test --executions 1 limits.cpp -- -DHOW=3 && exits 1
has stdout 'no progress: main goes round a loop'
