#include "runtime/milestone.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/heap.h"
#include "runtime/libc_state.h"
#include "runtime/snapshot.h"
#include "runtime/tls.h"

namespace ordeal::runtime {

bool Milestone::is_forbidden_ = false;

namespace {

constexpr std::size_t kMostMemory = std::size_t{64} << 20;  // of the heap

/// The number that the next file would get: another one if the program has opened or closed some.
int next_file() {
  const int file = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (file >= 0) close(file);
  return file;
}

void copy(const SpinState& from, SpinState& to) {
  static_cast<SpinPosition&>(to) = from;
  to.writes = from.writes;
  const auto count = static_cast<std::size_t>(from.count);
  if (to.visits.size() < count) to.visits.resize(count);
  std::copy_n(from.visits.begin(), count, to.visits.begin());
}

}  // namespace

void Milestone::begin() {
  static const int first = next_file();
  first_file_ = first;
  is_kept_ = is_forbidden_ = false;
}

bool Milestone::can_keep() {
  if (is_forbidden_ || Stacks::is_recording || Bounds::any() || program_.failure() != nullptr || !program_.refused().empty()) return false;
  if (program_.has_exited() || !program_.notifications().empty()) return false;
  for (int t = 0; t < program_.thread_count(); ++t) {
    const Thread& thread = program_.thread(t);
    if (thread.state != Thread::State::kUnused && thread.operation.kind == engine::OperationKind::kBlock) return false;
  }
  return LibcState::is_unchanged() && ProgramHeap::used_memory() <= kMostMemory && next_file() == first_file_;
}

bool Milestone::keep() {
  if (!can_keep()) return false;
  Snapshot::keep();
  ProgramHeap::keep();
  Shadow::keep();
  program_.location_table().keep();
  keep_exit_handlers();
  const int keys = keep_keys();
  threads_.resize(static_cast<std::size_t>(program_.thread_count()));
  for (int t = 0; t < program_.thread_count(); ++t) keep(program_.thread(t), threads_[static_cast<std::size_t>(t)], keys);
  return is_kept_ = true;
}

void Milestone::keep(const Thread& thread, ThreadImage& image, int keys) {
  image.position = thread;
  if (thread.state == Thread::State::kUnused) return;
  image.hb.assign(thread.hb, thread.hb + program_.thread_count());
  copy(thread.spin, image.spin);
  image.frames = thread.frames;
  image.random = thread.random;
  image.destructors.assign(thread.destructors, thread.destructors + thread.destructor_count);
  image.keys.assign(thread.keys, thread.keys + keys);
  TlsPool::keep(thread.id);
  image.stack_begin = used_stack_begin(thread);
  image.stack.assign(reinterpret_cast<unsigned char*>(image.stack_begin), reinterpret_cast<unsigned char*>(stack_end(thread.id)));
}

void Milestone::go_back() {
  Snapshot::go_back();
  ProgramHeap::go_back();
  Shadow::go_back();
  program_.location_table().go_back();
  go_back_to_kept_exit_handlers();
  const int keys = go_back_to_kept_keys();
  LibcState::restore();
  for (int t = 0; t < program_.thread_count(); ++t) {
    Thread& thread = program_.thread(t);
    if (static_cast<std::size_t>(t) < threads_.size()) go_back(thread, threads_[static_cast<std::size_t>(t)], keys);
    else forget(thread);
  }
}

void Milestone::go_back(Thread& thread, const ThreadImage& image, int keys) {
  if (image.position.state == Thread::State::kUnused) return forget(thread);
  const std::uintptr_t begin = used_stack_begin(thread);
  if (begin < image.stack_begin) std::memset(reinterpret_cast<void*>(begin), 0, image.stack_begin - begin);
  std::memcpy(reinterpret_cast<void*>(image.stack_begin), image.stack.data(), image.stack.size());
  static_cast<ThreadPosition&>(thread) = image.position;
  std::copy(image.hb.begin(), image.hb.end(), thread.hb);
  copy(image.spin, thread.spin);
  thread.frames = image.frames;
  if (image.random.is_seeded) thread.random = image.random;
  else thread.random.is_seeded = false;
  std::copy(image.destructors.begin(), image.destructors.end(), thread.destructors);
  std::fill_n(thread.keys, keys, nullptr);
  std::copy(image.keys.begin(), image.keys.end(), thread.keys);
  TlsPool::go_back(thread.id);
}

}  // namespace ordeal::runtime
