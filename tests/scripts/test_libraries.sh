#!/usr/bin/env bash
# Random testing: libraries that the program opens while it runs. Each execution has a process of its own, their constructors are part of
# it, bugs in them are shown as others are.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"

cat >plugin.cpp <<'END'
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
extern "C" void registered(int);
struct Registers { int* value = new int(40); Registers() { registered(3); } ~Registers() { delete value; } } registers;
thread_local int mine = 7;
std::atomic<int> x, y;
int racy;
extern "C" int read_mine() { return ++mine; }
extern "C" int plugin(int what) {
  if (what == 1) {
    std::thread other([] { racy = 1; });
    racy = 2;
    other.join();
  } else if (what == 2) {
    int seen = 0, seen_by_other = 0;
    std::thread other([&] { x.store(1, std::memory_order_relaxed); seen_by_other = y.load(std::memory_order_relaxed); });
    y.store(1, std::memory_order_relaxed);
    seen = x.load(std::memory_order_relaxed);
    other.join();
    if (seen + seen_by_other == 0) abort();
  } else if (what == 3) {
    std::mutex one, two;
    std::thread other([&] { std::lock_guard first(one); std::lock_guard second(two); });
    { std::lock_guard first(two); std::lock_guard second(one); }
    other.join();
  } else if (what == 4) {
    for (int i = 0; i < 4; ++i) std::thread([] { if (++mine != 8) abort(); }).join();
    x.fetch_add(1);
  }
  return ++*registers.value;
}
END
cat >opens.cpp <<'END'
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>
int got = 0;
std::atomic<int> chance;
extern "C" void registered(int number) { got += number; }
int main(int, char** arguments) {
  const int what = atoi(arguments[1]);
  std::thread other([] { chance.store(1); chance.store(2); });
  const int seen = chance.load();
  other.join();
  std::atomic<int (*)()> read_mine{nullptr};
  std::thread early([&] {
    while (read_mine.load() == nullptr) std::this_thread::yield();
    assert(read_mine.load()() == 8);
  });
  assert(dlopen("./nowhere.so", RTLD_NOW) == nullptr && dlerror() != nullptr);
  if (what == 5 && seen != 1) {  // most executions open nothing
    early.detach();
    _exit(0);
  }
  void* library = dlopen("./plugin.so", RTLD_NOW);
  assert(library != nullptr && got == 3);
  assert(dlopen("./plugin.so", RTLD_NOW) == library && got == 3);
  // A thread that was there before has its own, too.
  read_mine.store(reinterpret_cast<int (*)()>(dlsym(library, "read_mine")));
  early.join();
  assert(reinterpret_cast<int (*)(int)>(dlsym(library, "plugin"))(what == 5 ? 3 : what) == 41);
  assert(dlclose(library) == 0);
}
END
note='each execution ran in a process of its own, because the program opens libraries while it runs'
for compiler in g++ clang++; do
  export ORDEAL_CXX=$compiler
  "$ordeal" c++ -O1 -g -std=c++17 -fPIC -shared plugin.cpp -o plugin.so
  "$ordeal" c++ -O1 -g opens.cpp -rdynamic -o opens
  for fine in 0 4; do
    run "$ordeal" test --executions 100 ./opens $fine && exits 0 && has stdout "$note"
  done
  run "$ordeal" test --executions 20 ./opens 1 && exits 1 && has stdout "data race on 'racy'" && has stdout '#1 main    opens.cpp:' && has stdout '#0 plugin::{lambda}  plugin.cpp:' && has stdout 'In 20 of 20 executions'
  has stdout 'create thread 2' && has_not stdout 'not deterministic'
  run "$ordeal" replay ordeal-opens-data-race.replay && exits 1 && has stdout "data race on 'racy'"
  run "$ordeal" test --executions 100 ./opens 2 && exits 1 && has stdout 'it takes weak memory' && has stdout 'rlx, from init (not ' && has_not stdout 'not deterministic'
  run "$ordeal" test --executions 100 ./opens 3 && exits 1 && has stdout "thread 2 holds 'one' since" && has_not stdout 'not deterministic'
done

# Executions without a bug that are no interleavings.
sed 's/seen_by_other == 0) abort/seen_by_other == -1) abort/' plugin.cpp >weak.cpp
"$ordeal" c++ -O1 -g -std=c++17 -fPIC -shared weak.cpp -o plugin.so
run "$ordeal" test --executions 100 --sc-analysis ./opens 2 && exits 0 && has stdout 'are interleavings of the threads' && has stdout 'rlx, from init (not ' && has_not stdout 'not deterministic'
run "$ordeal" test --executions 100 --require-sc ./opens 2 && exits 1 && has stdout 'rlx, from init (not ' && has_not stdout 'not deterministic'
"$ordeal" c++ -O1 -g -std=c++17 -fPIC -shared plugin.cpp -o plugin.so

# Thread-local variables that have their place in each thread's block, which was there before.
"$ordeal" c++ -O1 -g -std=c++17 -fPIC -ftls-model=initial-exec -shared plugin.cpp -o plugin.so
run "$ordeal" test --executions 100 ./opens 4 && exits 0
"$ordeal" c++ -O1 -g -std=c++17 -fPIC -shared plugin.cpp -o plugin.so

# One execution of many opens it: that one begins again.
run "$ordeal" test --executions 300 ./opens 5 && exits 1 && has stdout "deadlock: main waits at plugin.cpp:" && has stdout "$note" && has stdout ' of 300 executions'
run "$ordeal" test --in-place ./opens 0 && exits 4 && has stdout 'leave out --in-place'

# One that another compiler made.
"${compiler}" -O1 -g -std=c++17 -fPIC -shared plugin.cpp -o plugin.so
run "$ordeal" test --executions 20 ./opens 0 && exits 4 && has stdout "atomic operations of 'plugin' (plugin.so) that were not compiled by Ordeal" && has stdout 'plugin.so was not compiled by Ordeal'
