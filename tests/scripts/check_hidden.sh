#!/usr/bin/env bash
# Code that hides from the instrumentation is found and named: objects, archives and libraries that were compiled by something else,
# functions marked no_sanitize, OpenMP. Refused when it runs, if it has atomic operations; a note otherwise; nothing if it does
# not run or is the system's.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi

cat >hidden.cpp <<'END'
#include <atomic>
std::atomic<int> counter;
int plain;
int sum(int n) { return n + 1; }
void add() { counter.fetch_add(1); }
void store() { counter.store(1); }
void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
void write() { plain = 1; }
END
cat >user.cpp <<'END'
#include <memory>
#include <thread>
int sum(int);
void add(), store(), fence(), write();
int main(int count, char** arguments) {
  auto shared = std::make_shared<int>(sum(count));
  std::thread other([shared] {});
  if (count > 1) switch (arguments[1][0]) {
      case 'a': add(); break;
      case 's': store(); break;
      case 'f': fence(); break;
      case 'w': write(); break;
    }
  other.join();
}
END

# Of any form, by any compiler: what runs counts.
hides() {
  run "$ordeal" check ./program && exits 0 && has_not stdout 'is not instrumented'
  for way in add store fence; do
    run "$ordeal" check ./program $way && exits 4 && has stdout "atomic operations of '$way()' ($1) that were not compiled by Ordeal"
  done
  run "$ordeal" check ./program write && exits 0 && has stdout "'write()' ($1) is not instrumented"
}
for compiler in g++ clang++; do
  export ORDEAL_CXX=$compiler
  "$compiler" -O1 -g -fPIC -c hidden.cpp -o hidden.o
  rm -f libhidden.a && ar rc libhidden.a hidden.o
  "$compiler" -shared hidden.o -o libhidden.so
  "$ordeal" c++ -O1 -g -std=c++20 user.cpp hidden.o -o program && hides program
  run "$ordeal" check ./program && has_not stdout note
  "$ordeal" c++ -O1 -g -std=c++20 user.cpp libhidden.a -o program && hides program
  "$ordeal" c++ -O1 -g -std=c++20 user.cpp ./libhidden.so -o program && hides libhidden.so
  run "$ordeal" check ./program && has stdout 'libhidden.so was not compiled by Ordeal'
  "$ordeal" c++ -O1 -g -std=c++20 user.cpp hidden.cpp -o program
  for way in add store fence write; do run "$ordeal" check ./program $way && exits 0 && has_not stdout note; done
  nm program | grep -E ' t __tsan_func_entry$' >/dev/null || fail "the program has no part of the instrumentation in itself"
  # A library without names: its functions are known to be instrumented by what they call, which is in the library itself.
  "$ordeal" c++ -O1 -g -std=c++20 -fPIC -shared hidden.cpp -o libseen.so && strip libseen.so
  "$ordeal" c++ -O1 -g -std=c++20 user.cpp ./libseen.so -o program
  for way in add store fence write; do run "$ordeal" check ./program $way && exits 0 && has_not stdout note; done
done
unset ORDEAL_CXX

# The same by an attribute. (Clang instruments atomic operations in such functions.)
cat >attribute.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x;
int plain;
__attribute__((no_sanitize("thread"))) void add() { x.fetch_add(1); }
__attribute__((no_sanitize_thread)) void write() { plain = 1; }
int main(int count, char**) {
  std::thread other([] {});
  if (count > 1) add();
  write();
  other.join();
}
END
"$ordeal" c++ -O1 -g -std=c++20 attribute.cpp -o attribute
run "$ordeal" check ./attribute && exits 0 && has stdout "'write()' (attribute) is not instrumented (no_sanitize"
run "$ordeal" check ./attribute add && exits 4 && has stdout "atomic operations of 'add()' (attribute)"

cat >parallel.c <<'END'
int main(void) {
  int sum = 0;
#pragma omp parallel
  sum = 1;
  return sum - 1;
}
END
run "$ordeal" check parallel.c -- -fopenmp && exits 4 && has stdout 'OpenMP (GOMP_parallel) is not supported'
run "$ordeal" test parallel.c -- -fopenmp && exits 4 && has stdout 'OpenMP (GOMP_parallel) is not supported' && has_not stdout 'cut short'
# With the library itself, which asks for the processors before the program begins.
cat >processors.c <<'END'
#include <omp.h>
int main(void) {
  int sum = omp_get_max_threads();
#pragma omp parallel
  sum = 1;
  return sum - 1;
}
END
run "$ordeal" check processors.c -- -fopenmp && exits 4 && has stdout 'OpenMP (GOMP_parallel) is not supported'

# Libraries of others may ask about the first thread while they are made ready, whatever they ask.
cat >ready.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
static int answers;
__attribute__((constructor)) static void ask(void) {
  cpu_set_t processors;
  struct sched_param parameters;
  pthread_attr_t attributes;
  clockid_t clock;
  char name[16];
  int policy;
  const pthread_t self = pthread_self();
  answers = !pthread_getaffinity_np(self, sizeof processors, &processors) + !pthread_getschedparam(self, &policy, &parameters) +
            !pthread_setname_np(self, "ready") + !pthread_getname_np(self, name, sizeof name) + !pthread_getattr_np(self, &attributes) +
            !pthread_getcpuclockid(self, &clock) + !pthread_kill(self, 0) + (CPU_COUNT(&processors) > 0);
  pthread_attr_destroy(&attributes);
}
int count_answers(void) { return answers; }
END
cat >asks.c <<'END'
int count_answers(void);
int main(void) { return count_answers() == 8 ? 0 : 1; }
END
gcc -O1 -shared -fPIC ready.c -o libready.so
run "$ordeal" check asks.c -- -L. -lready "-Wl,-rpath,$PWD" && exits 0

# A file that is opened where nobody sees it, when hundreds of executions had none: found by looking now and then.
cat >descriptor.c <<'END'
long call(long number, long a, long b) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b) : "rcx", "r11");
  return result;
}
END
cat >opener.cpp <<'END'
#include <ordeal/ordeal.h>
#include <sys/syscall.h>
#include <atomic>
#include <thread>
extern "C" long call(long number, long a, long b);
std::atomic<int> x;
int main() {
  const long file = ordeal_choose(8) > 3 ? call(SYS_eventfd2, 0, 0) : -1;
  const auto add_five = [] {
    for (int i = 0; i < 5; ++i) x.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread a(add_five), b(add_five);
  a.join();
  b.join();
  if (file >= 0) call(SYS_close, file, 0);
}
END
gcc -O1 -fPIC -shared descriptor.c -o libdescriptor.so
run "$ordeal" check opener.cpp -- -L"$work" -ldescriptor -Wl,-rpath,"$work" && exits 4 && has stdout 'the program opens files by system calls of its own'
