#!/usr/bin/env bash
# A process may have any number, also 32767: that is half of any pointer to the stack, and where libc keeps the number the runtime looks for. In a namespace of its own the next number
# can be chosen; where that is not allowed, the test is skipped.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 77
fi

cat >program.cpp <<'END'
#include <unistd.h>
#include <cstdio>
#include <thread>
int main() {
  std::thread([] {}).join();
  std::printf("number %d\n", static_cast<int>(getpid()));
}
END
"$ordeal" c++ -g program.cpp -o program

cat >numbered.sh <<'END'
echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid || exit 77
timeout 20 ./program &
wait $!
END
# timeout has the number, and the program the next one.
in_namespace() { run unshare --user --map-root-user --pid --fork --mount-proc bash numbered.sh "$1"; }
in_namespace 32000
if [[ $status != 0 ]] || ! grep -qx 'number 32001' stdout; then
  echo "skipped: the number of a process cannot be chosen here"
  exit 77
fi
for number in 32765 32766; do
  in_namespace "$number" && exits 0
done
has stdout 'number 32767'
