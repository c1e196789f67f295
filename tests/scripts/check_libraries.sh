#!/usr/bin/env bash
# Shared libraries that Ordeal compiles: races in them, their variables (put back for each execution), their constructors and
# destructors (run in each execution, in order), exceptions through C code, dlopen.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi

# The base: a variable, a constructor that starts a thread, a static object; the top needs it and is linked before it.
cat >base.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> base_atomic;
int base_plain, base_state;
thread_local int base_local = 7;
__attribute__((constructor)) static void construct() {
  assert(base_state == 0);
  std::thread([] { base_state = 1; }).join();
}
struct Object {
  Object() { assert(base_state == 1), base_state = 2; }
  ~Object() { assert(base_state == 5), base_state = 6; }
} object;
__attribute__((destructor)) static void destruct() { assert(base_state == 6); }
int base_race(int n) { return base_plain = n; }
int base_add() { return base_atomic.fetch_add(1); }
END
cat >top.cpp <<'END'
#include <cassert>
extern int base_state;
int base_add();
struct Top {
  Top() { assert(base_state == 2), base_state = 3; }
  ~Top() { assert(base_state == 4), base_state = 5; }
} top;
int top_add() { return base_add(); }
END
cat >callback.c <<'END'
static int depth;
void call_through_c(void (*function)(int), int argument) {
  ++depth;
  function(argument);
  --depth;
}
int depth_in_c(void) { return depth; }
END
cat >main.cpp <<'END'
#include <cassert>
#include <stdexcept>
#include <thread>
extern int base_state, base_plain;
extern thread_local int base_local;
int base_race(int), base_add(), top_add();
extern "C" void call_through_c(void (*)(int), int);
extern "C" int depth_in_c();
struct Last {
  Last() { assert(base_state == 3); }
  ~Last() { assert(base_state == 3), base_state = 4; }
} last;
int main(int count, char** arguments) {
  assert(base_plain == 0 && base_local == 7);
  ++base_local;
  std::thread a([&] { count > 1 ? base_race(1) : top_add(); });
  try {
    call_through_c([](int n) { throw std::runtime_error(n == 1 ? "one" : "more"); }, count);
    assert(false);
  } catch (const std::runtime_error&) {
    assert(depth_in_c() == 1);
  }
  count > 1 ? base_race(2) : base_add();
  a.join();
}
END
for compiler in 'g++ gcc' 'clang++ clang'; do
  export ORDEAL_CXX=${compiler% *} ORDEAL_CC=${compiler#* }
  "$ordeal" c++ -std=c++20 -O1 -g -fPIC -shared base.cpp -o libbase.so
  "$ordeal" c++ -std=c++20 -O1 -g -fPIC -shared top.cpp -o libtop.so -L. -lbase -Wl,-rpath,"$PWD"
  "$ordeal" cc -O1 -g -fexceptions -fPIC -shared callback.c -o libcallback.so
  "$ordeal" c++ -std=c++20 -O1 -g main.cpp -o main -L. -lbase -ltop -lcallback -Wl,-rpath,"$PWD"
  # Two increments, in two orders.
  run "$ordeal" check ./main && exits 0 && has stdout 'all 2 execution classes' && has_not stdout note
  run ./main && exits 0
  run "$ordeal" check ./main race && exits 1
  has stdout "data race on 'base_plain'"
  has stdout "base.cpp:$(grep -n 'base_race(int n)' base.cpp | cut -d: -f1)"
  # One of the library's assertions: in its destructor.
  sed 's/base_state == 6)/base_state == 9)/' base.cpp >wrong.cpp
  "$ordeal" c++ -std=c++20 -O1 -g -fPIC -shared wrong.cpp -o libbase.so
  run "$ordeal" check ./main && exits 1 && has stdout 'assertion failed at wrong.cpp'
  rm libbase.so
done

# A library that is opened while the program runs.
cat >plugin.cpp <<'END'
extern "C" int plugin() { return 42; }
END
cat >opens.cpp <<'END'
#include <cassert>
#include <dlfcn.h>
#include <thread>
int main() {
  void* library = dlopen("./plugin.so", RTLD_NOW);
  assert(library != nullptr);
  assert(reinterpret_cast<int (*)()>(dlsym(library, "plugin"))() == 42);
  std::thread([] {}).join();
  dlclose(library);
}
END
unset ORDEAL_CXX ORDEAL_CC
"$ordeal" c++ -O1 -g -fPIC -shared plugin.cpp -o plugin.so
"$ordeal" c++ -O1 -g opens.cpp -o opens
run "$ordeal" check ./opens && exits 4 && has stdout "dlopen of './plugin.so' while the program runs is not supported"
"$ordeal" c++ -O1 -g opens.cpp -Wl,--no-as-needed ./plugin.so -o opens
run "$ordeal" check ./opens && exits 0
