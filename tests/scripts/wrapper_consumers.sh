#!/usr/bin/env bash
# Build systems take `ordeal c++` for a compiler: CMake with C and C++, libraries and a precompiled header; make; configure's questions.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
use_stub

mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(consumer C CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(Threads REQUIRED)
include(CheckIncludeFileCXX)
include(CheckFunctionExists)
include(CheckCXXSourceRuns)
include(CheckIPOSupported)
check_include_file_cxx(atomic HAS_ATOMIC)
check_function_exists(strlen HAS_STRLEN)
check_function_exists(no_such_function HAS_NONE)
check_cxx_source_runs("int main() { return 0; }" RUNS)
check_cxx_source_runs("int main() { return 3; }" RUNS_WITH_FAILURE)
if(NOT HAS_ATOMIC OR NOT HAS_STRLEN OR HAS_NONE OR NOT RUNS OR RUNS_WITH_FAILURE)
  message(FATAL_ERROR "wrong answers: ${HAS_ATOMIC} ${HAS_STRLEN} ${HAS_NONE} ${RUNS} ${RUNS_WITH_FAILURE}")
endif()
add_library(shared_part SHARED shared.cpp)
add_library(static_part STATIC static.c)
add_executable(consumer main.cpp)
target_precompile_headers(consumer PRIVATE <atomic> <thread>)
target_link_libraries(consumer PRIVATE shared_part static_part Threads::Threads)
enable_testing()
add_test(NAME consumer COMMAND consumer)
END
echo 'int in_shared() { return 1; }' >project/shared.cpp
echo 'int in_static(void) { return 2; }' >project/static.c
cat >project/main.cpp <<'END'
int in_shared();
extern "C" int in_static(void);
std::atomic<int> x{0};
int main() {
  std::thread other([] { x = in_shared() + in_static(); x.notify_one(); });
  x.wait(0);
  other.join();
  return x == 3 ? 0 : 1;
}
END

for compiler in gcc:g++ clang:clang++; do
  export ORDEAL_CC=${compiler%:*} ORDEAL_CXX=${compiler#*:}
  run cmake -S project -B "build-$ORDEAL_CC" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$tree/bin/ordeal-cc" \
    -DCMAKE_CXX_COMPILER="$tree/bin/ordeal-c++" && exits 0
  expected=GNU
  [[ $ORDEAL_CC == gcc ]] || expected=Clang
  has stdout "The CXX compiler identification is $expected"
  run cmake --build "build-$ORDEAL_CC" && exits 0
  has_not stdout warning:
  run "build-$ORDEAL_CC/consumer" && exits 0
  [[ $(readelf -d "build-$ORDEAL_CC/consumer" | grep -m 1 NEEDED) == *libordeal.so* ]] || fail "our library is not the first"
done
unset ORDEAL_CC ORDEAL_CXX

# make, with two words for the compiler; and what a configure script does.
printf 'CXXFLAGS = -O2 -Wall -Werror\nprog: one.o two.o\n\t$(CXX) -o $@ $^\n' >Makefile
echo 'int two(); int main() { return two() - 2; }' >one.cpp
echo 'int two() { return 2; }' >two.cpp
run make CXX="$ordeal c++" && exits 0 && complains_not
./prog || fail "prog does not work"
echo 'int main() { return 0; }' >conftest.cpp
run "$ordeal" c++ -o conftest conftest.cpp && exits 0 && complains_not
./conftest || fail "conftest"
run "$ordeal" c++ conftest.cpp && exits 0 && [[ -x a.out ]] || fail "no a.out"
run "$ordeal" c++ -g -c conftest.cpp && exits 0 && [[ -s conftest.o ]] || fail "no conftest.o"

# What cannot work says so, with exit code 2, and nothing is written.
for flag in -static -static-pie -m32 -fsanitize=thread -fsanitize=address -fsanitize=undefined; do
  run "$ordeal" c++ "$flag" conftest.cpp -o refused && exits 2 && has stderr "ordeal c++: $flag" && prints_nothing
  [[ ! -e refused ]] || fail "$flag: something was written"
done
ORDEAL_CXX="$ordeal c++" run "$ordeal" c++ conftest.cpp && exits 2 && has stderr 'that is Ordeal itself'
ORDEAL_CXX=no-such-g++ run "$ordeal" c++ -c conftest.cpp && exits 2 && has stderr "cannot start the compiler 'no-such-g++'"
ORDEAL_CXX=c++ run "$ordeal" c++ -c conftest.cpp && exits 0
mv "$tree/lib/ordeal/libordeal.so" away
run "$ordeal" c++ conftest.cpp -o refused && exits 2 && has stderr 'lib/ordeal/libordeal.so'
run "$ordeal" c++ -c conftest.cpp && exits 0
no_temporaries
