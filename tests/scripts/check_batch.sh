#!/usr/bin/env bash
# `ordeal batch`, which tests use: command lines from standard input. A program that is started once for all its runs gives the same reports as one that
# is started for each: whatever the runs before printed, changed or died of.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 77
fi

cat >program.cpp <<'END'
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
extern "C" void die();
int runs = 0, plain = 0;
std::atomic<int> x{0};
int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  std::printf("%s, %d arguments, run %d\n", what.c_str(), count, ++runs);
  std::thread other([&] { what == "race" ? ++plain : ++x; });
  ++x;
  if (what == "race") ++plain;
  if (what == "fail") assert(x == 2);
  if (what == "die") die();
  other.join();
  assert(runs == 1 && std::getenv("ORDEAL_OPTIONS") == nullptr);
}
END
echo 'void die(void) { __asm__ volatile("syscall" : : "a"(231), "D"(7) : "rcx", "r11"); }' >die.c # exit_group, unseen
gcc -O1 -c die.c
"$ordeal" c++ -g program.cpp die.o -o program
cp program another

commands=('check fail' 'check' 'check race' 'check --keep-going fail' 'check die' 'check fine' 'test --executions 20 fail' 'test --executions 20 fine' 'check --loop-bound x fine' 'check --leaks two words')
lines() {
  local command program
  for command in "${commands[@]}"; do
    for program in ./program ./another; do
      read -ra words <<<"$command"
      local options=() rest=()
      for word in "${words[@]}"; do
        if [[ ${#rest[@]} == 0 && ${word} =~ ^(check|test|-.*|20|x)$ ]]; then options+=("$word"); else rest+=("$word"); fi
      done
      printf '%s\n' "$(IFS=$'\t' && printf '%s' "${options[*]}	--json	--output	bug.replay	$program${rest[*]:+	${rest[*]}}")"
    done
  done
}
without_times() { sed -E 's/"seconds":[^,]*//' "$1"; }

lines >commands
while IFS=$'\t' read -ra words; do
  run "$ordeal" "${words[@]}"
  cat stdout
  echo "exit $status"
done <commands | without_times /dev/stdin >single
grep -q '"verdict":"bug"' single && grep -q '"verdict":"verified"' single && grep -qx 'exit 4' single && ! grep -q cannot-check single || fail "what is compared? $(<single)"
grep -q 'fail, 2 arguments, run 1' single || fail "no output of the program in the reports: $(<single)"
run "$ordeal" batch <commands
exits 0
without_times stdout >together
diff single together >differences || fail "$(head -c 2000 differences)"
