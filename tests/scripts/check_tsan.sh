#!/usr/bin/env bash
# The same programs under stock ThreadSanitizer and under `ordeal check`: no race that ThreadSanitizer finds in one run is missed, and
# what it reports because it does not know fences is no race. (What it sees depends on how the threads run: its silence says nothing.)
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi
native=$ORDEAL_SOURCE_DIR/tests/native

# ThreadSanitizer cannot run everywhere: it wants its part of the addresses.
fixed=(setarch "$(uname -m)" -R)
"${fixed[@]}" true 2>/dev/null || fixed=()
echo 'int main() {}' >empty.cpp
g++ -fsanitize=thread empty.cpp -o empty
if ! "${fixed[@]}" ./empty 2>/dev/null; then
  echo "skipped: ThreadSanitizer does not run here"
  exit 0
fi

found=0
# `compare COMPILER FILE`: ThreadSanitizer's finding is ours.
compare() {
  local compiler=$1 file=$2 races=no flags=(-g -O1)
  [[ $file == *.cpp ]] && flags+=(-std=c++20)
  "$compiler" "${flags[@]}" -w -fsanitize=thread "$file" -o program -lpthread
  TSAN_OPTIONS='halt_on_error=1 exitcode=66' run "${fixed[@]}" ./program
  [[ $status == 66 ]] && grep -q 'ThreadSanitizer: data race' stderr && races=yes
  run "$ordeal" check --json --compiler "$compiler" "$file"
  if [[ $races == yes ]]; then
    grep -Eq '"kind": *"(data-race|use-after-free)"' stdout || fail "ThreadSanitizer finds a race in $file ($compiler), ordeal check does not"
    found=$((found + 1))
  fi
}
# `is_right COMPILER FILE`: whatever ThreadSanitizer says.
is_right() { for verb in check test; do run "$ordeal" $verb --quiet --compiler "$1" "$2" && exits 0; done; }

for name in race_bit_field_bug.cpp race_construction_bug.cpp race_heap_bug.cpp race_memcpy_bug.cpp race_plain_atomic_bug.cpp race_static_initialiser_bug.cpp \
  race_string_append_bug.cpp race_vector_bug.cpp race_vptr_bug.cpp message_passing_bug.cpp mutex_bug.cpp shared_ptr_bug.cpp use_after_free_race_bug.cpp \
  race_memcpy_ok.cpp race_vector_ok.cpp message_passing_ok.cpp mutex_ok.cpp shared_ptr_ok.cpp spin_lock_ok.cpp call_once_ok.cpp static_local_ok.cpp; do
  compare g++ "$native/$name"
done
for name in race_heap_bug.cpp race_vector_bug.cpp race_vptr_bug.cpp mutex_bug.cpp message_passing_ok.cpp mutex_ok.cpp; do
  compare clang++ "$native/$name"
done
((found >= 8)) || fail "ThreadSanitizer found $found races only: is it at work?"

# Whoever has seen the flag has seen the data: the fences synchronise, which ThreadSanitizer does not know.
cat >fences.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
int data;
std::atomic<bool> flag;
int main() {
  std::thread producer([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    flag.store(true, std::memory_order_relaxed);
  });
  while (!flag.load(std::memory_order_relaxed)) {
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  assert(data == 42);
  producer.join();
}
END
for compiler in g++ clang++; do
  is_right "$compiler" fences.cpp
  is_right "$compiler" "$native/fences_ok.cpp"
done
