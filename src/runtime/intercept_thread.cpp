// Threads: creation, end, join, keys, once, and the guards of function-local statics.
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/cancellation.h"
#include "runtime/lent_stack.h"
#include "runtime/loops/rules.h"
#include "runtime/pthreads.h"
#include "runtime/scrub.h"
#include "runtime/sync.h"
#include "runtime/testing.h"

namespace ordeal::runtime {
namespace {

NativeProgram& program() { return *NativeProgram::instance; }
Thread& self() { return *NativeProgram::current; }

pthread_t handle_of(const Thread& thread) { return kFirstHandle + static_cast<pthread_t>(thread.id) * 16; }
Thread* thread_of(pthread_t handle) {
  const auto id = static_cast<std::size_t>(handle - kFirstHandle) / 16;
  return handle >= kFirstHandle && id < static_cast<std::size_t>(program().thread_count()) ? &program().thread(static_cast<int>(id)) : nullptr;
}

constexpr int kKeys = PTHREAD_KEYS_MAX;
Key keys[kKeys];
int key_count = 0;  // only the first so many are in use

void run_key_destructors(Thread& thread) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool again = false;
    for (int k = 0; k < key_count; ++k) {
      void* value = thread.keys[k];
      if (!keys[k].is_used || value == nullptr) continue;
      thread.keys[k] = nullptr;
      if (keys[k].destructor == nullptr) continue;
      keys[k].destructor(value);
      again = true;
    }
    if (!again) return;
  }
}

}  // namespace

int number_of_thread(pthread_t handle) {
  const Thread* thread = thread_of(handle);
  return thread == nullptr || thread->state == Thread::State::kUnused ? -1 : thread->id;
}

namespace {
Key keys_at_start[kKeys];
int key_count_at_start = 0;
}
void save_keys() {
  std::memcpy(keys_at_start, keys, sizeof keys);
  key_count_at_start = key_count;
}
void restore_keys() {
  std::memcpy(keys, keys_at_start, sizeof(Key) * static_cast<std::size_t>(key_count));
  key_count = key_count_at_start;
}
void keep_keys(std::vector<Key>& image) { image.assign(keys, keys + key_count); }
int restore_keys(const std::vector<Key>& image) {
  std::copy(image.begin(), image.end(), keys);
  const int before = std::exchange(key_count, static_cast<int>(image.size()));
  if (before > key_count) std::fill(keys + key_count, keys + before, Key{});
  return before;
}
void forget_key_values(Thread& thread) { std::fill_n(thread.keys, key_count, nullptr); }

constexpr int kFixedDestructors = 256;

void run_thread_destructors() {
  Thread& thread = self();
  while (thread.destructor_count > 0) {
    const int last = --thread.destructor_count;
    const ThreadDestructor destructor = last < kFixedDestructors ? thread.destructors[last] : thread.more_destructors[static_cast<std::size_t>(last - kFixedDestructors)];
    destructor.run(destructor.object);
  }
  run_key_destructors(thread);
}

/// Whether all other threads have been joined: by this one, or by one of them.
bool is_alone(const Thread& thread) {
  for (int t = program().thread_count() - 1; t >= 0; --t) {
    const Thread& other = program().thread(t);
    const bool is_over = other.state == Thread::State::kFinished && other.is_joined;
    if (&other != &thread && other.state != Thread::State::kUnused && !is_over) return false;
  }
  return true;
}

void run_native_thread(Thread& thread) {
  run_routine(thread);
  begin_end(thread);
  run_thread_destructors();
  leave_robust_mutexes();
  flush_pending_write();
  note_stack_given_back();
}

using engine::Operation;
using engine::OperationKind;

int create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument, std::uintptr_t site) {
  flush_pending_write();
  note_effect(self(), trace::KeptBy::kSystem, site);
  Thread& child = program().new_child(self());
  child.routine = routine;
  child.argument = argument;
  Operation operation;
  operation.kind = OperationKind::kCreate;
  operation.access.kind = model::EventKind::kCreate;
  operation.access.other = engine::ThreadId{child.id};
  plain_write(reinterpret_cast<std::uintptr_t>(handle), sizeof *handle, site);
  *handle = handle_of(child);
  flush_pending_write();
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  const bool is_detached = detached == PTHREAD_CREATE_DETACHED;
  operation.access.operand = program().symmetry().enter(self(), child, is_detached);
  self().is_alone = false;
  scrub_dead_stack(self());
  program().perform(operation, site);
  program().symmetry().note_created(self(), child);
  child.is_detached = is_detached;
  std::size_t stack_size = 0;
  if (attributes != nullptr) pthread_attr_getstacksize(attributes, &stack_size);
  child.asks_for_more_stack = stack_size > kStackSize;
  return 0;
}

static bool is_cancelled_while_joining(const Operation& operation, std::uintptr_t site) {
  const Cancellable cancellable;
  program().perform(operation, site);
  return cancellable.has_ended();
}

int join_thread(pthread_t handle, void** returned, std::uintptr_t site) {
  flush_pending_write();
  Cancellation::point();
  Thread* thread = thread_of(handle);
  if (thread == nullptr || thread->state == Thread::State::kUnused) return ESRCH;
  if (thread == &self()) return EDEADLK;
  if (thread->is_detached) fail_with_misuse(nullptr, "joins a thread that is detached", site);
  if (thread->is_joined) fail_with_misuse(nullptr, "joins a thread for the second time", site);
  note_effect(self(), trace::KeptBy::kSystem, site);
  thread->is_joined = true;
  Operation operation;
  operation.kind = OperationKind::kJoin;
  operation.access.kind = model::EventKind::kJoin;
  operation.access.other = engine::ThreadId{thread->id};
  thread->is_promised = true;  // it may end long before this thread goes on, and has its number till then
  if (is_cancelled_while_joining(operation, site)) {  // others may join it
    thread->is_promised = thread->is_joined = false;
    Cancellation::leave();
  }
  thread->is_promised = false;
  self().is_alone = is_alone(self());
  if (is_testing && self().is_alone) Testing::set_alone(true);
  program().symmetry().note_joined(self(), *thread, returned != nullptr);
  if (returned != nullptr) *returned = thread->returned;
  return 0;
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument) {
  return create_thread(handle, attributes, routine, argument, ORDEAL_SITE);
}
ORDEAL_ABI int pthread_join(pthread_t handle, void** returned) { return join_thread(handle, returned, ORDEAL_SITE); }

ORDEAL_ABI int pthread_detach(pthread_t handle) {
  Thread* thread = thread_of(handle);
  if (thread == nullptr) return ESRCH;
  if (thread->is_detached) fail_with_misuse(nullptr, "detaches a thread that is detached", ORDEAL_SITE);
  if (thread->is_joined) fail_with_misuse(nullptr, "detaches a thread that is joined", ORDEAL_SITE);
  thread->is_detached = true;
  if (is_checked()) note_effect(self(), ordeal::trace::KeptBy::kSystem, ORDEAL_SITE);
  program().symmetry().note_detached(*thread);
  return 0;
}

ORDEAL_ABI pthread_t pthread_self() {
  if (!is_checked()) return kFirstHandle;
  program().symmetry().note_identity(self());
  return handle_of(self());
}

/// What the runtime keeps for the program is no part of a thread's configuration (loops/README.md).
static void note_change_of_keys() {
  if (is_checked()) note_effect(self());
}
ORDEAL_ABI int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  note_change_of_keys();
  for (unsigned k = 0; k < kKeys; ++k) {
    if (keys[k].is_used) continue;
    keys[k] = {true, destructor};
    key_count = std::max(key_count, static_cast<int>(k) + 1);
    if (is_checked()) self().keys[k] = nullptr;
    *key = k;
    return 0;
  }
  return EAGAIN;
}
ORDEAL_ABI int pthread_key_delete(pthread_key_t key) {
  if (key >= kKeys || !keys[key].is_used) return EINVAL;
  note_change_of_keys();
  keys[key] = {};
  return 0;
}
static void* unchecked_keys[kKeys];  // before the program runs
ORDEAL_ABI void* pthread_getspecific(pthread_key_t key) {
  if (key >= kKeys) return nullptr;
  return is_checked() ? self().keys[key] : unchecked_keys[key];
}
ORDEAL_ABI int pthread_setspecific(pthread_key_t key, const void* value) {
  if (key >= kKeys) return EINVAL;
  if (is_checked() && self().keys[key] != value) note_effect(self());
  (is_checked() ? self().keys[key] : unchecked_keys[key]) = const_cast<void*>(value);
  return 0;
}

ORDEAL_ABI int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object, void*) {
  if (!is_checked()) return 0;
  Thread& thread = self();
  note_effect(thread);
  const int number = thread.destructor_count++;
  if (number < kFixedDestructors) {
    thread.destructors[number] = {destructor, object};
    return 0;
  }
  if (!is_testing) program().refuse("more than 256 thread-local objects with destructors in a thread", ORDEAL_SITE);
  thread.more_destructors.resize(static_cast<std::size_t>(number - kFixedDestructors));
  thread.more_destructors.push_back({destructor, object});
  return 0;
}
ORDEAL_ABI void __ordeal_at_thread_exit(void (*run)(void*), void* object) {
  __cxa_thread_atexit_impl(run, object, nullptr);
  if (!is_checked()) return;
  ThreadDestructor* all = self().destructors;
  std::rotate(all, all + self().destructor_count - 1, all + self().destructor_count);  // the first is the last to run
}
ORDEAL_ABI int __cxa_thread_atexit(void (*destructor)(void*), void* object, void* module) {
  return __cxa_thread_atexit_impl(destructor, object, module);
}

ORDEAL_ABI int sched_yield() {
  if (NativeProgram::current == nullptr) return 0;  // in a speculation, too
  ++self().yields;
  if (is_testing) Testing::yield();
  return 0;
}
