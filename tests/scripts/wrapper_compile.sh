#!/usr/bin/env bash
# `ordeal cc` and `ordeal c++` compile, link, or both, as the compiler itself would; the code is instrumented, and linked with our
# library only.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
use_stub

cat >main.cpp <<'END'
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
std::atomic<int> x{0};
int shared = 0;
volatile int port;
char from[8], to[8];
int twice(int);
int main(int argc, char** argv) {
  std::thread other([] { x.store(1, std::memory_order_release); });
  other.join();
  int old = 1;
  while (!x.compare_exchange_weak(old, 2)) old = 1;
  shared += 1;
  port = 3;
  std::memcpy(to, from, sizeof to);
  char copy[100] = "";
  std::strcpy(copy, argc > 1 ? argv[1] : "none");
  std::printf("%d %d %s\n", twice(x), shared, copy);
}
END
echo 'int twice(int a) { return 2 * a; }' >twice.cpp
echo 'int from_c(const char* a); int from_c(const char* a) { return a[0]; }' >plain.c

refers() { nm "$1" | grep -E " U $2$" >/dev/null || fail "$1 does not refer to $2"; }
is_ours() { # PROGRAM: instrumented, our library first, no libtsan, bound when loaded, and it works
  local needed
  needed=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
  [[ ${needed%%$'\n'*} == libordeal.so ]] || fail "$1: libordeal.so is not the first library: $needed"
  [[ $needed != *tsan* ]] || fail "$1 needs libtsan"
  readelf -d "$1" | grep -E 'NOW' >/dev/null || fail "$1 is bound lazily"
  refers "$1" __tsan_init
  refers "$1" __wrap_strcpy
  [[ $("./$1" word) == "4 1 word" ]] || fail "$1 printed $("./$1" word)"
}

for compiler in g++ clang++; do
  export ORDEAL_CXX=$compiler ORDEAL_CC=gcc
  [[ $compiler == g++ ]] || ORDEAL_CC=clang
  for flags in '-O0 -std=c++17 -Werror' '-O2 -flto -fno-sanitize=all -fbuiltin -D_FORTIFY_SOURCE=2' '-O2 -std=c++20 -Wall -Wextra -Werror'; do
    # shellcheck disable=SC2086
    {
      rm -f main && run "$ordeal" c++ $flags main.cpp twice.cpp -o main && exits 0 && complains_not && is_ours main
      run "$ordeal" c++ $flags -c main.cpp twice.cpp && exits 0 && complains_not && refers main.o __tsan_init && refers twice.o __tsan_init
      rm -f main && run "$ordeal" c++ $flags main.o twice.o -o main -lm -Wl,--as-needed && exits 0 && complains_not && is_ours main
    }
  done
  # Source and object; a response file; standard input; under its other name.
  rm -f main && run "$ordeal" c++ -Werror main.cpp twice.o -o main -pie -L. -lm && exits 0 && complains_not && is_ours main
  printf -- '-O1\n-o "main" main.cpp\n' >response
  rm -f main && run "$ordeal" c++ @response twice.o && exits 0 && complains_not && is_ours main
  rm -f main && run "$ordeal" c++ -x c++ - -x none twice.o -o main <main.cpp && exits 0 && complains_not && is_ours main
  rm -f main && run "$tree/bin/ordeal-c++" -omain main.cpp twice.o && exits 0 && complains_not && is_ours main
  nm main.o | grep -E ' U (__tsan_atomic32_compare_exchange_weak|__ordeal_compare_exchange_weak)$' >/dev/null || fail "$compiler: no weak compare-exchange"
  nm main.o | grep ' U __tsan_volatile_write4$' >/dev/null || fail "$compiler: no volatile write"
  for name in strcpy memcpy; do nm main.o | grep " U $name$" >/dev/null || fail "$compiler: $name was built in"; done

  # C, assembler, a shared library, -S, -E, -M, -fsyntax-only, -r
  run "$ordeal" cc -Wall -Wextra -Werror -O2 -std=c99 -c plain.c && exits 0 && complains_not && refers plain.o __tsan_read1
  printf '.globl nothing\nnothing: ret\n.section .note.GNU-stack,"",@progbits\n' >nothing.S
  run "$ordeal" cc -c nothing.S -o nothing.o && exits 0 && complains_not
  cp nothing.S nothing.s && run "$ordeal" cc -Werror -c nothing.s && exits 0 && complains_not
  run "$ordeal" cc -shared -fPIC plain.c nothing.s -o libplain.so && exits 0 && complains_not
  readelf -d libplain.so | grep 'NEEDED.*libordeal.so' >/dev/null || fail "the shared library does not need ours"
  run "$ordeal" cc -S plain.c -o - && exits 0 && has stdout __tsan_read1
  run "$ordeal" cc -E plain.c && exits 0 && complains_not && has stdout from_c
  run "$ordeal" cc -E -P plain.c -o plain.i && run "$ordeal" cc -Werror -c plain.i -o i.o && exits 0 && complains_not && refers i.o __tsan_read1
  run "$ordeal" c++ -MM main.cpp && exits 0 && has stdout 'main.o: main.cpp'
  run "$ordeal" c++ -fsyntax-only main.cpp && exits 0 && complains_not
  run "$ordeal" c++ -r main.o twice.o -o both.o && exits 0 && complains_not
  run "$ordeal" c++ both.o -o main && exits 0 && is_ours main
  run "$ordeal" cc -dM -E -x c /dev/null && exits 0 && has stdout '#define __ORDEAL__ 1' && has_not stdout __SANITIZE_THREAD__

  # Names that are not reserved in C are the program's.
  echo 'int index = 5; int rindex(int x); int rindex(int x) { return x + 1; } int swab = 1;' >own.c
  echo 'extern int index, swab; int rindex(int x); int main(void) { return index++ == 5 && rindex(3) == 4 && swab == 1 ? 0 : 1; }' >own_main.c
  run "$ordeal" cc -fno-builtin own.c own_main.c -o own && exits 0 && complains_not
  ./own || fail "its own names"

  # Dependencies in one step are named after the program.
  run "$ordeal" c++ -MMD main.cpp twice.o -o main && exits 0 && has main.d 'main: main.cpp'
  run "$ordeal" c++ -MD -MF my.d main.cpp twice.o -o main && exits 0 && has my.d 'main: main.cpp'

  # Errors are the compiler's, its exit code too.
  echo 'int main() { return none; }' >broken.cpp
  run "$ordeal" c++ broken.cpp -o broken && exits 1 && has stderr 'broken.cpp:1:21: error:'
  run "$ordeal" c++ -c broken.cpp && exits 1
  run "$ordeal" c++ main.cpp -o main && exits 1 && has stderr twice
  run "$ordeal" c++ && exits 1 && has stderr 'no input files'

  # Questions are answered by the compiler itself.
  for question in --version -dumpversion -dumpmachine -print-search-dirs -v '-print-prog-name=ld'; do
    run "$compiler" "$question" && mv stdout expected
    run "$ordeal" c++ "$question" && exits 0
    cmp -s stdout expected || fail "$question: another answer"
  done
done
no_temporaries
