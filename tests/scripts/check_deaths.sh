#!/usr/bin/env bash
# Each way in which a program can die, in main and in another thread, built by GCC and by Clang: it is told with its kind, its
# place and its execution, the replay shows it again, and with --keep-going the search goes on and finds the other bug, too.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi
source=$ORDEAL_SOURCE_DIR/tests/native/parts/deaths.cpp

# The first words of the report, and a part of what follows the place.
declare -A first=(
  [assert]='assertion failed' [abort]='abort' [exception]='uncaught exception' [terminate]='abort'
  [exit]='the program ended with failure' [_exit]='the program ended with failure' [quick_exit]='the program ended with failure'
  [null]='crash' [division]='crash' [stack-overflow]='crash' [illegal-instruction]='crash'
  [out-of-memory]='uncaught exception' [malloc-null]='crash')
declare -A then=(
  [assert]='way.empty()' [abort]='' [exception]='std::runtime_error' [terminate]='std::terminate' [exit]='exit code 1'
  [_exit]='exit code 1' [quick_exit]='exit code 1' [null]='SIGSEGV' [division]='integer division by zero'
  [stack-overflow]='stack overflow' [illegal-instruction]='SIGILL' [out-of-memory]='std::bad_alloc' [malloc-null]='SIGSEGV')
declare -A kind=(
  [assert]=assertion [abort]=abort [exception]=exception [terminate]=abort [exit]=exit-code [_exit]=exit-code [quick_exit]=exit-code
  [null]=signal [division]=signal [stack-overflow]=signal [illegal-instruction]=signal [out-of-memory]=exception [malloc-null]=signal)

# `lines MARK`: the lines that have it, as a pattern.
lines() { grep -n "// $1\$" "$source" | cut -d: -f1 | paste -sd'|'; }

dies() {
  local program=$1 way=$2 thread=$3 name=$3
  [[ $thread == thread ]] && name='thread 1'
  run "$ordeal" check --keep-going --output death.replay "$program" "$way" "$thread" && exits 1
  grep -Eq "^${first[$way]} at .*deaths.cpp:($(lines "DIES: $way"))\b" stdout || fail "$way in $thread: no line with its place"
  has stdout "${then[$way]}"
  has stdout 'flag: 0 sc, from init'
  grep -Eq "assertion failed at .*deaths.cpp:$(lines OTHER)\b" stdout || fail "$way in $thread: the search did not go on"
  has stdout 'bug: 2 bugs in 2 executions'
  run "$ordeal" check --json "$program" "$way" "$thread" && exits 1
  grep -Eq "\"kind\": *\"(${kind[$way]}|assertion)\"" stdout || fail "$way in $thread: another kind"
  grep -Eq "\"name\": *\"$name\"" stdout || fail "$way: another thread than $name"
  run "$ordeal" replay death.replay && exits 1
  grep -Eq "deaths.cpp:($(lines "DIES: $way")|$(lines OTHER))\b" stdout || fail "$way in $thread: the replay shows another place"
}

for compiler in g++ clang++; do
  ORDEAL_CXX=$compiler "$ordeal" c++ -O1 -g -std=c++20 "$source" -o deaths
  for way in "${!first[@]}"; do
    dies ./deaths "$way" main
    dies ./deaths "$way" thread
  done
done
