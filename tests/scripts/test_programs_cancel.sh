#!/usr/bin/env bash
# Random testing of programs that cancel threads.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"

# POSIX, 2.9.5: the thread ends at a cancellation point, where it waits or that it comes to; the mutex of a condition is locked before the cleanup handlers run; join says
# PTHREAD_CANCELED. A thread that has disabled it goes on. What was done before pthread_cancel is known to the handlers.
cat >cancel.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <cstring>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <unistd.h>
std::string what;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
sem_t semaphore;
int files[2];
int guarded = 0, before = 0;
std::atomic<int> cleaned{0};
struct Destroyed {
  ~Destroyed() { cleaned += 100; }
};
void clean(void* argument) {
  if (what == "race") before = 2;
  else assert(before == 1);
  ++cleaned;
  if (argument != nullptr) {
    ++guarded;
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
}
void* sleep_for_ever(void*) {
  for (;;) sleep(1);
}
void* wait_for_ever(void* number) {
  const Destroyed destroyed;
  const bool has_mutex = what == "condition" || what == "timed";
  if (has_mutex) pthread_mutex_lock(&mutex);
  pthread_cleanup_push(clean, has_mutex ? &mutex : nullptr);
  char byte;
  timespec later{1900000000, 0};
  for (;;) {
    if (what == "condition") pthread_cond_wait(&condition, &mutex);
    else if (what == "timed") pthread_cond_timedwait(&condition, &mutex, &later);
    else if (what == "semaphore") sem_wait(&semaphore);
    else if (what == "read") assert(read(files[0], &byte, 1) == 1);
    else if (what == "sleep") sleep(1);
    else pthread_testcancel();
  }
  pthread_cleanup_pop(0);
  return number;
}
void* disable(void*) {
  int old = -1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  sem_post(&semaphore);
  for (int i = 0; i < 3; ++i) pthread_testcancel(), sleep(1);
  return &files;
}
void* join_it(void* argument) {
  pthread_cleanup_push([](void*) { ++cleaned; }, nullptr);
  pthread_join(*static_cast<pthread_t*>(argument), nullptr);
  pthread_cleanup_pop(0);
  return nullptr;
}
int main(int, char** arguments) {
  what = arguments[1];
  assert(pipe(files) == 0);
  sem_init(&semaphore, 0, 0);
  pthread_t threads[2];
  void* result = nullptr;
  if (what == "disabled") {
    pthread_create(&threads[0], nullptr, disable, nullptr);
    sem_wait(&semaphore);
    assert(pthread_cancel(threads[0]) == 0);
    assert(pthread_join(threads[0], &result) == 0 && result == &files);
    return 0;
  }
  if (what == "join") {
    pthread_create(&threads[0], nullptr, sleep_for_ever, nullptr);
    pthread_create(&threads[1], nullptr, join_it, &threads[0]);
    pthread_cancel(threads[1]);
    assert(pthread_join(threads[1], &result) == 0 && result == PTHREAD_CANCELED && cleaned <= 1);
    pthread_cancel(threads[0]);
    assert(pthread_join(threads[0], &result) == 0 && result == PTHREAD_CANCELED);
    return 0;
  }
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, wait_for_ever, nullptr);
  before = 1;
  for (pthread_t& thread : threads) assert(pthread_cancel(thread) == 0);
  if (what == "race") before = 3;
  for (pthread_t& thread : threads) assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  assert(cleaned == 2 + 200 && guarded == (what == "condition" || what == "timed" ? 2 : 0));
}
END2
build cancel
for what in condition timed semaphore read sleep test join disabled; do tests cancel executions=100 "$what" && sampled; done
tests cancel executions=3:real_time=1 sleep && sampled
tests cancel executions=100 race && finds data-race

# A thread that is cancelled with a lock, and does not unlock it.
cat >lock.cpp <<'END2'
#include <pthread.h>
#include <unistd.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(int count, char**) {
  pthread_t thread;
  pthread_create(&thread, nullptr, [](void*) -> void* {
    pthread_mutex_lock(&mutex);
    sleep(1);
    pthread_mutex_unlock(&mutex);
    return nullptr;
  }, nullptr);
  if (count == 1) pthread_cancel(thread);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, nullptr);
}
END2
build lock
tests lock executions=200 && finds deadlock
tests lock executions=200 not && sampled

# Two threads that leave by pthread_exit at the same time, with handlers on the way: each has its own exception.
cat >two.cpp <<'END2'
#include <pthread.h>
#include <cassert>
#include <atomic>
#include <thread>
std::atomic<int> n{0};
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void clean(void*) { for (int i = 0; i < 3; ++i) { pthread_mutex_lock(&mutex); ++n; pthread_mutex_unlock(&mutex); std::this_thread::yield(); } }
void deep(int d) { pthread_cleanup_push(clean, nullptr); if (d > 0) deep(d - 1); else pthread_exit(nullptr); pthread_cleanup_pop(0); }
int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, [](void*) -> void* { deep(2); return nullptr; }, nullptr);
  pthread_create(&b, nullptr, [](void*) -> void* { deep(2); return nullptr; }, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  assert(n == 18);
}
END2
build two
tests two executions=200 && sampled
