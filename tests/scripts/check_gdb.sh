#!/usr/bin/env bash
# `ordeal replay --gdb`: gdb stops where the execution fails, in the function and the line that the source says; it lists all threads of
# the program with where they are; breakpoints at lines are hit, and the execution stays the same. For several kinds of bugs, GCC and
# Clang, -O0 and -O1. And `ordeal replay --step`.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here
if ! command -v gdb >/dev/null; then
  echo "skipped: there is no gdb"
  exit 77
fi
export HOME=$work # no .gdbinit

# The receiver comes to its read only when it has seen the flag: the write was before, so the read is the second access.
cat >race.cpp <<'END'
#include <atomic>
#include <thread>
int message, copy;
std::atomic<int> sent;
void deliver(int value) {
  message = value;
  sent.store(1, std::memory_order_relaxed);
}
void receive() {
  while (sent.load(std::memory_order_relaxed) == 0) {
  }
  copy = message;
}
int main() {
  std::thread sender(deliver, 42), receiver(receive);
  sender.join();
  receiver.join();
}
END

# It fails only if both have read 0. Arguments come as they were.
cat >assertion.cpp <<'END'
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>
std::atomic<int> counter;
thread_local int seen;
[[gnu::noinline]] void note(int old) {
  seen = old;
}
void increment() {
  const int old = counter.load();
  note(old);
  counter.store(old + 1);
}
void judge(int found) {
  std::fputs("judging\n", stderr);
  assert(found == 2);
}
int main(int count, char** words) {
  if (count != 2 || words[1][1] != ' ') return 0;
  std::thread first(increment), second(increment);
  first.join();
  second.join();
  judge(counter.load());
}
END

cat >deadlock.cpp <<'END'
#include <mutex>
#include <thread>
std::mutex left, right;
void left_first() {
  left.lock();
  right.lock();  // waits
  right.unlock();
  left.unlock();
}
void right_first() {
  right.lock();
  left.lock();  // waits
  left.unlock();
  right.unlock();
}
int main() {
  std::thread first(left_first), second(right_first);
  first.join();
  second.join();
}
END

# Who asks has seen the number 1, which is stored behind the end of the block.
cat >freed.cpp <<'END'
#include <atomic>
#include <thread>
int* block;
std::atomic<int> is_gone;
void let_go() {
  delete block;
  is_gone.store(1, std::memory_order_release);
}
int ask() {
  if (is_gone.load(std::memory_order_acquire) == 0) return 0;
  return *block;
}
int main() {
  block = new int(1);
  std::thread first(let_go), second([] { return ask(); });
  first.join();
  second.join();
}
END

# A real crash among the faults that are none.
cat >crash.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int*> place;
char pages[100000];
void touch() {
  for (int at = 0; at < 100000; at += 4096) pages[at] = 1;
  int* where = place.load();
  *where = 1;
}
int main() {
  std::thread toucher(touch);
  toucher.join();
}
END

line_of() { grep -m 1 -nF -- "$2" "$1" | cut -d: -f1; }

# The bug of a program, with a compiler and a level.
found() { # VERB PROGRAM COMPILER LEVEL [ARGUMENTS…]
  local verb=$1 program=$2 compiler=$3 level=$4
  shift 4
  run "$ordeal" "$verb" --quiet --output bug.replay --compiler "$compiler" "$program.cpp" -- "$level" -- "$@" && exits 1
}
debug() { # GDB-COMMANDS…
  local words=() each
  for each; do words+=(-ex "$each"); done
  run "$ordeal" replay bug.replay --gdb -- -batch "${words[@]}"
  exits 0
  has_not stderr Error
  has_not stderr Traceback
}
# The last line of a frame that gdb shows: FILE:LINE in FUNCTION.
stops_at() { # FUNCTION FILE TEXT
  local line
  line=$(line_of "$2" "$3")
  grep -Eq "^#[0-9]+ .*\b$1 \(.*\) at .*$2:$line\$" stdout || fail "does not stop in $1 at $2:$line"
  grep -Eq "^$line[[:space:]]+$(sed 's/[][*.(){}^$+?|\\]/\\&/g' <<<"$3")" stdout || fail "does not show line $line"
}
# In the list of threads: what it does, and where.
thread_is() { # THREAD DOING FUNCTION FILE LINE
  awk -v thread="$1" 'substr($0, 3, length(thread) + 1) == thread ":" { on = 1; print; next } /^[* ] [a-z]/ { on = 0 } on' stdout >part
  head -n 1 part | grep -qE -- "$2" || fail "$1 does not do '$2' but: $(<part)"
  [[ -z ${3-} ]] || grep -qE "^    #[0-9]+ +$3(\(.*\))? at .*$4:$5\$" part || fail "$1 is not in $3 at $4:$5 but: $(<part)"
}
threads() { [[ $(grep -cE '^[* ] (main|thread [0-9]+): ' stdout) == "$1" ]] || fail "not $1 threads are listed"; }

race() { # VERB COMPILER LEVEL
  found "$1" race "$2" "$3"
  debug 'ordeal threads' 'break deliver' 'ordeal restart' 'print value' 'print copy' 'ordeal threads' 'continue' 'print message'
  stops_at receive race.cpp '  copy = message;'
  has stdout "data race on 'message'"
  has stdout '$1 = 42'
  has stdout '$2 = 0'
  has stdout '$3 = 42'
  has stdout 'Breakpoint 1, deliver (value=42)'
  [[ $(grep -c "^data race on 'message'" stdout) == 2 ]] || fail "does not stop at the bug twice"
}
race check g++ -O0
race check clang++ -O1
race test g++ -O1
race test clang++ -O0

for build in 'g++ -O1' 'clang++ -O0'; do
  read -r compiler level <<<"$build"

  # Threads, each where it is: the reader at its plain read.
  found check race "$compiler" "$level"
  debug 'ordeal threads'
  threads 3
  thread_is 'thread 2' 'at a plain read' receive race.cpp "$(line_of race.cpp 'copy = message')"
  thread_is 'main' 'in pthread_join' main race.cpp "($(line_of race.cpp 'sender.join')|$(line_of race.cpp 'receiver.join'))"
  grep -q '^\* thread 2:' stdout || fail "thread 2 has no star"
  # Breakpoints that are in the code of a waiting loop do not change the execution.
  debug "break race.cpp:$(line_of race.cpp 'while (sent') if copy == 7" 'ordeal restart'
  [[ $(grep -c "^data race on 'message'" stdout) == 2 ]] || fail "not the same execution with a breakpoint in the loop"

  # Arguments and output are as always; a line is met as often as the execution comes there.
  found check assertion "$compiler" "$level" 'a b'
  debug "break assertion.cpp:$(line_of assertion.cpp 'seen = old')" 'ordeal restart' 'print old' 'continue' 'print old' 'continue' 'ordeal threads' 'print found'
  stops_at judge assertion.cpp '  assert(found == 2);'
  has stderr judging
  has stdout '$1 = 0'
  has stdout '$2 = 0'
  has stdout '$3 = 1'
  threads 3
  thread_is 'thread 1' 'has ended'
  thread_is 'thread 2' 'has ended'
  thread_is 'main' '__assert_fail' judge assertion.cpp "$(line_of assertion.cpp 'assert(')"
  thread_is 'main' '__assert_fail' main assertion.cpp "$(line_of assertion.cpp '  judge(')"

  # All wait.
  found check deadlock "$compiler" "$level"
  debug 'ordeal threads' 'ordeal thread 0' 'ordeal thread 2' 'continue'
  threads 3
  has stdout deadlock
  thread_is 'thread 1' 'pthread_mutex_lock' left_first deadlock.cpp "$(line_of deadlock.cpp 'right.lock();  // waits')"
  thread_is 'thread 2' 'pthread_mutex_lock' right_first deadlock.cpp "$(line_of deadlock.cpp 'left.lock();  // waits')"
  thread_is 'main' 'pthread_join|pthread_clockjoin' main deadlock.cpp "$(line_of deadlock.cpp 'first.join')"
  stops_at right_first deadlock.cpp '  left.lock();  // waits'
  stops_at main deadlock.cpp '  first.join();'
  has stdout 'exited with code 01'

  found test deadlock "$compiler" "$level"
  debug 'ordeal threads'
  stops_at left_first deadlock.cpp '  right.lock();  // waits'
  threads 3
  thread_is 'thread 2' 'pthread_mutex_lock' right_first deadlock.cpp "$(line_of deadlock.cpp 'left.lock();  // waits')"
  thread_is 'main' 'in pthread_join' main deadlock.cpp "$(line_of deadlock.cpp 'first.join')"

  found check freed "$compiler" "$level"
  debug 'ordeal threads' 'print block'
  stops_at ask freed.cpp '  return *block;'
  has stdout 'use after free'
  thread_is 'thread 1' 'has ended|in '
  thread_is 'thread 2' 'at a plain read' ask freed.cpp "$(line_of freed.cpp 'return *block')"

  found check crash "$compiler" "$level"
  debug 'ordeal threads'
  stops_at touch crash.cpp '  *where = 1;'
  has_not stdout 'Program received signal'
  threads 2
done

# The program has changed, is gone, or gdb is not there; nothing is started then.
cp race.cpp own.cpp
"$tree/bin/ordeal-c++" -g own.cpp -o own
run "$ordeal" check --quiet --output own.replay ./own && exits 1
run "$ordeal" replay own.replay --step && exits 1
sed -i 's/copy = message/copy = message + 1/' own.cpp
"$tree/bin/ordeal-c++" -g own.cpp -o own
for option in --gdb --step; do
  run "$ordeal" replay own.replay $option && exits 4
  has stdout 'the program has changed'
done
rm own
for option in --gdb --step; do
  run "$ordeal" replay own.replay $option && exits 4
  has stderr 'is not there any more'
done
mkdir empty
run env PATH="$work/empty" "$ordeal" replay bug.replay --gdb && exits 2
has stderr 'gdb, which is not installed; on Debian and Ubuntu: apt-get install gdb'
run "$ordeal" replay bug.replay -- -batch && exits 2 && has stderr '--gdb is missing'
run "$ordeal" replay bug.replay --gdb --step && exits 2

# Steps: all operations of the table in its order, with their lines.
found check race g++ -O0
run "$ordeal" replay bug.replay --full && exits 1
sed -nE 's/^[ >] +([a-z])  .*/\1/p' stdout >letters
run "$ordeal" replay bug.replay --step && exits 1
has stdout "data race on 'message'"
[[ $(sed -nE 's/^[ >] +([a-z])  .*/\1/p' stdout) == "$(<letters)" && -s letters ]] || fail "not the rows of the table"
has stdout "race.cpp:$(line_of race.cpp 'while (sent'): while (sent.load(std::memory_order_relaxed) == 0) {"
grep -Eq '^ +[a-z]  thread 2  sent: 1 rlx, from [a-z]$' stdout || fail "what the load read is missing"
grep -A 1 '^>      *thread 2  reads message' stdout | grep -F >/dev/null "race.cpp:$(line_of race.cpp 'copy = message'): copy = message;" || fail "the read has no line"

# On a terminal each waits for Enter; q ends it.
cat >terminal.py <<'END'
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], [sys.argv[1], "replay", "bug.replay", "--step"])
os.write(terminal, b"\nq\n")
text = b""
try:
    while piece := os.read(terminal, 4096):
        text += piece
except OSError:  # the end of a terminal
    pass
print(text.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
END
run python3 terminal.py "$ordeal" && exits 0
[[ $(grep -cE '(main|thread [0-9]+)  ' stdout) == 2 ]] || fail "not two steps"
[[ $(tail -n 1 stdout) == *' 1' ]] || fail "another exit code"
