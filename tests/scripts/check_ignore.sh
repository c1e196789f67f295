#!/usr/bin/env bash
# --ignore FILE: races with plain accesses of functions and files on the list are not told, others are.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi

cat >statistics.h <<'END'
struct Statistics {
  int reads = 0, writes = 0;
  void read() { ++reads; }
  void write() { ++writes; }
};
END
cat >program.cpp <<'END'
#include "statistics.h"
#include <thread>
Statistics statistics;
int data;
void work() {
  statistics.read();
  statistics.write();
}
int main(int count, char**) {
  std::thread a([=] {
    work();
    if (count > 1) data = 1;
  });
  work();
  if (count > 1) data = 2;
  a.join();
}
END
# `checks CODE LINE…`: with these lines on the list.
checks() {
  local code=$1
  shift
  printf '%s\n' "$@" >list
  for compiler in g++ clang++; do
    run "$ordeal" check --ignore list --compiler "$compiler" program.cpp -- -O1 -- $arguments_of_program
    exits "$code"
  done
}
arguments_of_program=
run "$ordeal" check program.cpp && exits 1 && has stdout "data race on 'statistics.reads'"
checks 0 '# harmless' '' 'fun:Statistics::*'
has stdout 'races with code of the ignore list are not reported'
checks 0 'src:statistics.h'
checks 0 'src:*/statistics.h'
checks 0 '[address]' 'fun:*' '[thread]' 'fun:Statistics::read' 'fun:*::write'
checks 1 'fun:Statistics::read' && has stdout "data race on 'statistics.writes'"
checks 1 '[address]' 'fun:*'
checks 1 'src:*.c' 'fun:statistics'
checks 2 'fun:a' 'race:b' && has stderr "list:2: 'race:b' is not understood"
run "$ordeal" check --ignore none program.cpp && exits 2 && has stderr "cannot read the ignore list 'none'"

# What is not on the list is found, by a search that left something out; so does its replay.
arguments_of_program=more
checks 1 'fun:Statistics::*'
has stdout "data race on 'data'"
has_not stdout 'statistics'
run "$ordeal" replay ordeal-program-data-race.replay && exits 1 && has stdout "data race on 'data'"
