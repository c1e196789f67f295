#!/usr/bin/env bash
# `ordeal test` on programs of tests/native that synchronise by other means than atomics and plain mutexes: no alarm where there is no bug.
# And waits for atomics that no notification reaches.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here
programs=$ORDEAL_SOURCE_DIR/tests/native

for name in atomic_notify_one atomic_notify_one_each atomic_notify_one_late atomic_notify_one_loop atomic_wait atomic_wait_mutex barrier \
  barrier_functions condition_any_stop latch latch_try mutex_freed semaphore semaphore_overflow semaphore_try std_lock_two stop_token; do
  run "$ordeal" test --quiet --executions 500 "$programs/${name}_ok.cpp" && exits 0 # std::lock: nor two threads that step back for ever
done

# What the exhaustive search finds in each execution is found here, too; and nothing in their counterparts.
for name in stack_of_ended_thread_bug.c stack_of_ending_thread_bug.cpp stack_of_main_bug.cpp shared_mutex_order_bug.cpp annotation_ignore_bug.cpp \
  atomic_wide_mixed_bug.cpp atomic_wait_freed_bug.cpp deadlock_of_some_bug.cpp deadlock_ended_holder_bug.cpp recursive_mutex_ended_holder_bug.cpp free_large_bug.cpp; do
  run "$ordeal" test --quiet --executions 200 "$programs/$name" && exits 1
done
for name in stack_lent_ok.c stack_of_main_ok.cpp stack_reused_ok.cpp stack_reused_twice_ok.cpp stack_kept_by_caller_ok.cpp shared_mutex_ok.cpp shared_mutex_order_ok.cpp pthread_rwlock_ok.c atomic_wide_mixed_ok.cpp; do
  run "$ordeal" test --quiet --executions 500 "$programs/$name" && exits 0
done
run "$ordeal" test --executions 20 "$programs/stack_of_ending_thread_bug.cpp" && exits 1 && has stdout 'thread 1 ends'
run "$ordeal" test --executions 200 "$programs/deadlock_of_some_bug.cpp" && exits 1 && tr -s '\n ' ' ' <stdout >line && has line "for mutex 'second', held by thread 2; thread 2 waits"
run "$ordeal" test --isolate --quiet --executions 200 "$programs/deadlock_of_some_bug.cpp" && exits 1
run "$ordeal" test --executions 20 "$programs/atomic_freed_bug.cpp" && exits 1 && has stdout 'use after free (race between free and access)'
run "$ordeal" test --executions 20 "$programs/stack_large_bug.c" && exits 4 && has stdout 'a stack of more than 8 MB'
run "$ordeal" test --executions 20 "$programs/assembly_lock_bug.c" && exits 0 && has stdout "note: inline assembly in 'increment' accesses memory: that is not seen, and orders nothing"

lost() { # NAME WHY
  run "$ordeal" test --executions 500 "$programs/$1.cpp" && exits 1
  tr -s '\n ' ' ' <stdout >line
  has line "waits for a notification of 'flag', which has changed, and $2"
}
lost atomic_wait_bug 'nobody notifies it'
lost atomic_notify_one_bug 'notify_one may wake another thread'
lost atomic_notify_one_loop_bug 'notify_one may wake another thread'

# Who acquires a lock last frees it: what the other one did to it, its unlocking too, comes before.
cat >freed.cpp <<'END2'
#include <pthread.h>
#include <semaphore.h>

#include <mutex>
#include <shared_mutex>
#include <thread>

struct Spin {
  Spin() { pthread_spin_init(&spin, 0); }
  ~Spin() { pthread_spin_destroy(&spin); }
  void lock() { pthread_spin_lock(&spin); }
  void unlock() { pthread_spin_unlock(&spin); }
  pthread_spinlock_t spin;
};
struct Semaphore {
  Semaphore() { sem_init(&semaphore, 0, 1); }
  ~Semaphore() { sem_destroy(&semaphore); }
  void lock() { sem_wait(&semaphore); }
  void unlock() { sem_post(&semaphore); }
  sem_t semaphore;
};
template <class Lock>
struct Account {
  Lock lock;
  int users = 2;
};
template <class Lock>
void leave(Account<Lock>* account) {
  account->lock.lock();
  const bool is_last = --account->users == 0;
  account->lock.unlock();
  if (is_last) delete account;
}
template <class Lock>
void leave_both() {
  auto* account = new Account<Lock>;
  std::thread other([account] { leave(account); });
  leave(account);
  other.join();
}
int main() {
  leave_both<std::mutex>();
  leave_both<std::recursive_mutex>();
  leave_both<std::shared_mutex>();
  leave_both<Spin>();
  leave_both<Semaphore>();
}
END2
run "$ordeal" test --quiet --executions 500 freed.cpp && exits 0
