#!/usr/bin/env bash
# Random testing: hundreds of threads at once, thousands one after the other, detached ones, ones that nobody joins.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"

cat >many.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
std::mutex mutex;
std::shared_mutex shared;
std::condition_variable condition;
bool go = false;
int tickets = 0;
std::atomic<int> ended{0};
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 300; ++i)  // all wait at one condition variable
    threads.emplace_back([] {
      std::unique_lock lock(mutex);
      condition.wait(lock, [] { return go; });
      std::shared_lock reader(shared);
      ended.fetch_add(1, std::memory_order_relaxed);
    });
  {
    std::lock_guard lock(mutex);
    go = true;
  }
  condition.notify_all();
  for (std::thread& thread : threads) thread.join();
  assert(ended == 300);
  threads.clear();
  for (int i = 0; i < 150; ++i)  // each notification wakes one, wherever it waits
    threads.emplace_back([] {
      std::unique_lock lock(mutex);
      condition.wait(lock, [] { return tickets > 0; });
      --tickets;
    });
  for (int i = 0; i < 150; ++i) {
    std::lock_guard lock(mutex);
    ++tickets;
    condition.notify_one();
  }
  for (std::thread& thread : threads) thread.join();
  assert(tickets == 0);
  for (int i = 0; i < 3000; ++i) std::thread([] { ++ended; }).join();
  for (int i = 0; i < 3000; ++i) std::thread([] { ++ended; }).detach();
  while (ended < 6300) std::this_thread::yield();
}
END2
build many
tests many executions=2 && sampled
[[ $(sed -n 's/^threads //p' result) -ge 301 ]] || fail "there were not 300 threads"

# A wait that lacks its notification is still a deadlock.
sed 's/    condition.notify_one();/    if (i != 70) condition.notify_one();/' many.cpp >lost.cpp
build lost
tests lost executions=1:spurious=0 && finds deadlock

cat >ends.cpp <<'END2'
#include <pthread.h>
#include <cstdlib>
#include <thread>
struct Counted {
  int number = 0;
  ~Counted() { number = 1; }
};
template <int N> struct Objects : Objects<N - 1> {
  static inline thread_local Counted object;
  static void touch() { object.number = N; Objects<N - 1>::touch(); }
};
template <> struct Objects<0> { static void touch() {} };
int main(int count, char**) {
  pthread_key_t keys[600];
  for (pthread_key_t& key : keys)
    if (pthread_key_create(&key, nullptr) != 0) std::abort();
  std::thread([] { Objects<300>::touch(); }).join();
  for (int i = 0; i < 2000; ++i) std::atexit([] {});
  std::thread never_joined([] { for (;;) std::this_thread::yield(); });
  never_joined.detach();
  if (count == 2) {
    static std::thread* other = new std::thread([] { std::exit(0); });  // main leaves, another thread ends the process
    (void)other;
    pthread_exit(nullptr);
  }
}
END2
build ends
tests ends executions=5 && sampled
tests ends executions=5 one && sampled

# Each thread has its own thread-local variables, also where more threads come than were foreseen, in a process of its own: the first
# execution always is in one.
cat >own.cpp <<'END2'
#include <cassert>
#include <thread>
#include <vector>
thread_local int mine = 0;
int main() {
  std::vector<std::thread> all;
  for (int i = 1; i <= 60; ++i)
    all.emplace_back([i] {
      mine = i;
      for (int turn = 0; turn < 3; ++turn) {
        std::this_thread::yield();
        assert(mine == i);
      }
    });
  for (std::thread& each : all) each.join();
  assert(mine == 0);
}
END2
build own
tests own executions=20 && sampled
tests own executions=20:isolate=1 && sampled

# Threads that create threads: while one is being created, its number is not free for others.
cat >nested.cpp <<'END2'
#include <thread>
#include <vector>
void work(int levels) {
  std::vector<std::thread> all;
  for (int i = 0; i < 4 && levels > 0; ++i) all.emplace_back(work, levels - 1);
  for (std::thread& each : all) each.join();
}
int main() { work(2); }
END2
build nested
tests nested executions=5000 && sampled
tests nested executions=200:isolate=1 && sampled

# Nobody waits for ever because the one that all wait for is never chosen among many: here one that is created before the others.
cat >chosen.cpp <<'END2'
#include <atomic>
#include <thread>
#include <vector>
std::atomic<int> stage{0};
int main() {
  std::vector<std::thread> all;
  for (int i = 0; i < 400; ++i)
    all.emplace_back([] {
      while (stage.load(std::memory_order_relaxed) == 0) {}
    });
  stage = 1;
  for (std::thread& each : all) each.join();
}
END2
build chosen
tests chosen executions=40 && sampled
sed 's/  stage = 1;/  while (stage.load() == 0) {}/' chosen.cpp >stuck.cpp
build stuck
tests stuck executions=1 && finds no-progress

# membarrier is a fence of every thread: the other side needs none. Without it both read 0.
cat >barrier.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
std::atomic<int> x, y;
int r1, r2;
#ifdef NONE
bool fence(int) { return true; }
#else
bool fence(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }
#endif
int main() {
  if (!fence(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)) return 0;  // this system has none
  std::thread light([] {
    x.store(1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    r1 = y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
  fence(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  r2 = x.load(std::memory_order_relaxed);
  light.join();
  assert(r1 == 1 || r2 == 1);
}
END2
build barrier
tests barrier executions=5000 && sampled
tests barrier executions=5000:strategy=pct && sampled
"$ordeal" c++ -O1 -g -pthread -DNONE barrier.cpp -o barrier
tests barrier executions=5000 && finds assertion

# A thread has the name of who created it, until it is given one.
cat >names.cpp <<'END2'
#include <cassert>
#include <cerrno>
#include <cstring>
#include <pthread.h>
#include <thread>
void is_called(const char* name) {
  char found[16];
  assert(pthread_getname_np(pthread_self(), found, 3) == ERANGE);
  assert(pthread_getname_np(pthread_self(), found, sizeof found) == 0 && std::strcmp(found, name) == 0);
}
int main() {
  is_called("names");
  assert(pthread_setname_np(pthread_self(), "first") == 0);
  std::thread other([] {
    is_called("first");
    assert(pthread_setname_np(pthread_self(), "a name that is too long") == ERANGE);
    assert(pthread_setname_np(pthread_self(), "second") == 0);
    is_called("second");
  });
  is_called("first");
  other.join();
}
END2
build names
tests names executions=50 && sampled
