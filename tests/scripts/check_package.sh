#!/usr/bin/env bash
# An installed Ordeal, moved to a path with a space: the command, find_package(ordeal) and ordeal_add_test in a project that uses an
# ordinary compiler, pkg-config, the Debian package.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

run cmake --install "$tree" --prefix "$work/first" && exits 0
mkdir 'with space' && mv first 'with space/prefix'
prefix="$work/with space/prefix"
for file in bin/ordeal bin/ordeal-cc bin/ordeal-c++ lib/ordeal/libordeal.so lib/ordeal/fast_path.o libexec/ordeal/as include/ordeal/ordeal.h include/ordeal/inside/runtime_calls.h \
  lib/cmake/ordeal/ordealConfig.cmake share/pkgconfig/ordeal.pc share/ordeal/gdb.py share/man/man1/ordeal-check.1 share/bash-completion/completions/ordeal share/ordeal/page.html; do
  [[ -e $prefix/$file ]] || fail "not installed: $file"
done
! grep -rlF "$tree" "$prefix" --include='*.cmake' --include='*.pc' || fail "the build tree is known"

# --- the command ---------------------------------------------------------------------------------------------------------------
run "$prefix/bin/ordeal" check "$ORDEAL_SOURCE_DIR/examples/check/message_bug.cpp" --html page.html && exits 1 && has stdout "data race on 'message'"
[[ -s page.html ]] || fail "no page"
run "$prefix/bin/ordeal" replay ordeal-message_bug-data-race.replay && exits 1
"$prefix/bin/ordeal-c++" -g "$ORDEAL_SOURCE_DIR/examples/check/message_bug.cpp" -o message
run ./message && exits 66 && has stderr "data race on 'message'"

# --- pkg-config ----------------------------------------------------------------------------------------------------------------
printf '#include <ordeal/ordeal.h>\nint main(void) { ordeal_assume(0); return (int)ordeal_choose(3); }\n' >plain.c
if command -v pkg-config >/dev/null; then
  flags=$(PKG_CONFIG_PATH=$prefix/share/pkgconfig pkg-config --cflags ordeal)
  eval "gcc $flags plain.c -o plain" && ./plain || fail "pkg-config: $flags"
fi

# --- CMake -------------------------------------------------------------------------------------------------------------------
mkdir -p 'the project/include dir' && cd 'the project'
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(scratch C CXX)
enable_testing()
find_package(ordeal 0.1 REQUIRED)
find_package(GTest REQUIRED)
add_library(parts INTERFACE)
target_include_directories(parts INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/include dir")
target_compile_definitions(parts INTERFACE "NAME=\"a b\"" VALUE=2)
add_executable(ordinary ordinary.cpp)
target_link_libraries(ordinary PRIVATE parts ordeal::headers)
ordeal_add_test(good good.cpp part.c LINK_LIBRARIES parts COMPILE_OPTIONS -DEXTRA ARGUMENTS "one two" TIMEOUT 100)
ordeal_add_test(racy racy.cpp EXPECT bug)
ordeal_add_test(racy_fails racy.cpp)
ordeal_add_test(cut good.cpp part.c LINK_LIBRARIES parts COMPILE_OPTIONS -DEXTRA ARGUMENTS "one two" OPTIONS --executions 1 EXPECT bounded)
ordeal_add_test(cases cases.cpp LINK_LIBRARIES GTest::gtest_main)
add_subdirectory(below)
END
mkdir below && echo 'ordeal_add_test(below ../racy.cpp EXPECT bug)' >below/CMakeLists.txt
printf '#ifdef __cplusplus\nextern "C"\n#endif\nint part(void);\n#define EXPECTED 2\n' >'include dir/part.h'
printf '#include "part.h"\n#ifndef __ORDEAL__\n#error an ordinary compiler\n#endif\nint part(void) { return VALUE; }\n' >part.c
cat >good.cpp <<'END'
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>
#include <ordeal/ordeal.h>
#include "part.h"
#if !defined __ORDEAL__ || !defined EXTRA || defined NDEBUG || !defined __OPTIMIZE__
#error wrong flags
#endif
std::atomic<int> x{0};
int main(int argc, char** argv) {
  std::thread a([] { x++; }), b([] { x++; });
  a.join();
  b.join();
  assert(argc == 2 && std::strcmp(argv[1], "one two") == 0 && std::strcmp(NAME, "a b") == 0);
  assert(x == EXPECTED && part() == VALUE);
}
END
printf '#include <thread>\nint y;\nint main() { std::thread a([] { y = 1; }); y = 2; a.join(); }\n' >racy.cpp
printf '#include <ordeal/ordeal.h>\n#ifdef __ORDEAL__\n#error Ordeal\n#endif\nint main() { ordeal_assume(false); return ordeal_choose(2); }\n' >ordinary.cpp
cat >cases.cpp <<'END'
#include <gtest/gtest.h>
#include <atomic>
#include <thread>
TEST(A, x) { std::atomic<int> n{0}; std::thread t([&] { n++; }); n++; t.join(); EXPECT_EQ(n, 2); }
TEST(A, y) {}
END

passes() { grep -qE "Test +#[0-9]+: $1 \.+ +Passed" stdout || fail "$1 does not pass"; }
fails() { grep -qE "Test +#[0-9]+: $1 \.+\*\*\*Failed" stdout || fail "$1 does not fail"; }
for kind in 'gcc g++ Release Ninja' 'clang clang++ Debug Unix Makefiles'; do
  read -r c cxx type generator <<<"$kind"
  build="the build $c"
  run cmake -G "$generator" -S . -B "$build" -DCMAKE_BUILD_TYPE="$type" -DCMAKE_C_COMPILER="$c" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$prefix" && exits 0
  has_not stderr Warning
  run cmake --build "$build" && exits 0 && has_not stdout warning:
  "$build/ordinary" || fail "the ordinary program does not work"
  run ctest --test-dir "$build" -L ordeal --output-on-failure && exits 8
  for test in good racy cut cases below; do passes "$test"; done
  fails racy_fails
  has stdout "data race on 'y'"
  has stdout "expected the verdict 'verified', found 'bug'"
  has stdout '83% tests passed, 1 tests failed out of 6'
  [[ -s "$build/ordeal-racy_fails-data-race.replay" ]] || fail "no replay file"
  # What is not there to be built again is not; a header that changes is seen. Make compares times in seconds.
  [[ $generator != Ninja ]] || { run cmake --build "$build" && has stdout 'no work to do'; }
  sleep 1.1 && sed -i 's/EXPECTED .*/EXPECTED 3/' 'include dir/part.h'
  run cmake --build "$build" --target good && exits 0
  run ctest --test-dir "$build" -R '^good$' --output-on-failure && fails good && has stdout 'x == EXPECTED'
  sleep 1.1 && sed -i 's/EXPECTED .*/EXPECTED 2/' 'include dir/part.h'
done
grep -q 'TIMEOUT "160"' 'the build gcc/CTestTestfile.cmake' || fail "no time limit for CTest"
grep -q -- '"--time" "100"' 'the build gcc/CTestTestfile.cmake' || fail "no time limit for the search"

# Wrong use, and a library that Ordeal does not see into.
refused() { # LINE MESSAGE
  mkdir -p wrong && printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(wrong CXX)' 'find_package(ordeal REQUIRED)' \
    'add_library(made STATIC ../racy.cpp)' "$1" >wrong/CMakeLists.txt
  run cmake -S wrong -B wrong/build -DCMAKE_PREFIX_PATH="$prefix"
  tr -s ' \n' ' ' <stderr >message && has message "$2"
}
refused 'ordeal_add_test(none)' 'there are no sources'
refused 'ordeal_add_test(none ../racy.cpp EXPECT success)' 'EXPECT success is none of: verified, bug'
refused 'ordeal_add_test(none ../racy.cpp TIMEOUT soon)' 'TIMEOUT soon is no number'
refused 'ordeal_add_test(none ../ordinary.cpp LINK_LIBRARIES made)' "the library 'made' is not compiled by Ordeal"
cd ..

# --- the Debian package ----------------------------------------------------------------------------------------------------------
if command -v dpkg-shlibdeps >/dev/null; then
  run cpack --config "$tree/CPackConfig.cmake" -G DEB -B "$work/debian" && exits 0
  deb=$(echo "$work"/debian/ordeal_*.deb)
  dpkg-deb -f "$deb" Depends >stdout
  for package in 'g++ | clang' libc6 libdw1 libelf1 libfmt libstdc++6; do has stdout "$package"; done
  dpkg-deb -x "$deb" "$work/un packed"
  [[ -e "$work/un packed/usr/share/man/man1/ordeal-check.1.gz" ]] || fail "manual pages are not compressed"
  run "$work/un packed/usr/bin/ordeal" check --quiet "$ORDEAL_SOURCE_DIR/examples/check/message_fixed.cpp" && exits 0 && has stdout verified
fi
