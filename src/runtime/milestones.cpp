#include "runtime/milestones.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstring>

#include "runtime/libc_state.h"
#include "runtime/open_files.h"
#include "runtime/snapshot.h"
#include "runtime/tls.h"

namespace ordeal::runtime {

bool Milestones::is_forbidden_ = false;
int Milestones::count_ = 0;

namespace {

constexpr std::size_t kMostMemory = std::size_t{32} << 20;  // of the heap, in each milestone

void copy(const LoopTrace& from, LoopTrace& to) {
  static_cast<TracePosition&>(to) = from;
  if (from.effects - from.last_change < TracePosition::kMostChanges) std::copy(std::begin(from.changes), std::end(from.changes), to.changes);
  if (!from.writes.empty() || !to.writes.empty()) to.writes = from.writes;
  if (!from.halves.empty() || !to.halves.empty()) to.halves = from.halves;
  std::copy_n(from.places, from.place_count, to.places);
  const auto count = static_cast<std::size_t>(from.count);
  if (to.steps.size() < count) to.steps.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    if (to.steps[i].stamp != from.steps[i].stamp) to.steps[i] = from.steps[i];
  if (from.looked_at_count > 0) std::copy_n(from.looked_at, std::min(from.looked_at_count, TracePosition::kMostLooks), to.looked_at);
  if (from.relied_on_count > 0) std::copy_n(from.relied_on, from.relied_on_count, to.relied_on);
}

/// Of a thread that has ended nothing is needed any more but that it has.
bool is_alive(const ThreadPosition& thread) { return thread.state == Thread::State::kReady || thread.state == Thread::State::kRunning; }

}  // namespace

void Milestones::begin() {
  if (!has_begun_) OpenFiles::begin();
  has_begun_ = true;
  count_ = 0;
  is_forbidden_ = false;
}

bool Milestones::can_keep() {
  if (is_forbidden_ || Stacks::is_recording || Bounds::any() || program_.failure() != nullptr || !program_.refused().empty()) return false;
  if (program_.has_exited() || !program_.notifications().empty()) return false;
  for (int t = 0; t < program_.thread_count(); ++t) {
    const Thread& thread = program_.thread(t);
    if (thread.state != Thread::State::kUnused && thread.operation.cut == engine::Cut::kBug) return false;  // it may stand in a signal handler
  }
  return LibcState::is_unchanged() && ProgramHeap::used_memory() <= kMostMemory && !OpenFiles::are_there();
}

bool Milestones::keep(int milestone) {
  count_ = milestone;
  if (!can_keep()) return false;
  if (images_.size() == static_cast<std::size_t>(count_)) images_.emplace_back();
  Image& image = images_[static_cast<std::size_t>(count_++)];
  Snapshot::keep(image.data);
  ProgramHeap::keep(image.heap);
  image.shadow = Shadow::keep();
  program_.location_table().keep(image.locations);
  keep_exit_handlers(image.exit_handlers);
  keep_keys(image.keys);
  image.threads.resize(static_cast<std::size_t>(program_.thread_count()));
  for (int t = 0; t < program_.thread_count(); ++t) {
    Thread& thread = program_.thread(t);
    thread.same_since = std::min(thread.same_since, milestone);
    ThreadImage& of_thread = image.threads[static_cast<std::size_t>(t)];
    of_thread.same_since = thread.same_since;
    of_thread.position = thread;
    if (!is_alive(thread)) continue;
    keep_memory(thread, of_thread);
    if (thread.same_since == milestone) keep(thread, of_thread.own, image.keys.size());
  }
  return true;
}

namespace {

/// Where something other than zeros begins; `begin` and `end` are multiples of 32.
std::uintptr_t first_set(std::uintptr_t begin, std::uintptr_t end) {
  for (; begin < end; begin += 32) {
    const auto* words = reinterpret_cast<const __m128i*>(begin);
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_or_si128(words[0], words[1]), _mm_setzero_si128())) != 0xFFFF) break;
  }
  return begin;
}

}  // namespace

void Milestones::keep(const Thread& thread, OwnImage& image, std::size_t keys) {
  image.hb.assign(thread.hb, thread.hb + program_.thread_count());
  copy(thread.spin, image.spin);
  image.kept = thread.kept;
  image.effects = thread.effects;
  image.adds = thread.adds;
  image.frames = thread.frames;
  image.random = thread.random;
  image.destructors.assign(thread.destructors, thread.destructors + thread.destructor_count);
  image.keys.assign(thread.keys, thread.keys + keys);
}

void Milestones::keep_memory(const Thread& thread, ThreadImage& image) {
  TlsPool::keep(thread.id, image.storage);
  image.stack_begin = first_set(used_stack_begin(thread) / 32 * 32, stack_end(thread.id));
  image.stack.assign(reinterpret_cast<unsigned char*>(image.stack_begin), reinterpret_cast<unsigned char*>(stack_end(thread.id)));
}

void Milestones::go_back(int milestone) {
  const Image& image = images_[static_cast<std::size_t>(milestone)];
  count_ = milestone + 1;
  Snapshot::go_back(image.data);
  ProgramHeap::go_back(image.heap);
  Shadow::go_back(image.shadow);
  program_.location_table().go_back(image.locations);
  restore_exit_handlers(image.exit_handlers);
  const int keys = restore_keys(image.keys);
  LibcState::restore();
  for (int t = 0; t < program_.thread_count(); ++t) {
    Thread& thread = program_.thread(t);
    if (static_cast<std::size_t>(t) < image.threads.size()) go_back(thread, image.threads[static_cast<std::size_t>(t)], keys);
    else forget(thread);
  }
}

/// Others may have written there.
void Milestones::put_back_memory(Thread& thread, const ThreadImage& image) {
  const std::uintptr_t begin = used_stack_begin(thread);
  if (begin < image.stack_begin) std::memset(reinterpret_cast<void*>(begin), 0, image.stack_begin - begin);
  std::memcpy(reinterpret_cast<void*>(image.stack_begin), image.stack.data(), image.stack.size());
  TlsPool::go_back(thread.id, image.storage);
}

void Milestones::go_back(Thread& thread, const ThreadImage& image, int keys) {
  if (image.position.state == Thread::State::kUnused) return forget(thread);
  const bool lives = is_alive(image.position);
  if (lives) put_back_memory(thread, image);
  if (thread.same_since < count_) {
    thread.is_joined = image.position.is_joined;
    thread.is_detached = image.position.is_detached;
    thread.lent = image.position.lent;
    thread.group_size = image.position.group_size;
    return;
  }
  thread.same_since = image.same_since;
  const std::uintptr_t lowest = thread.lowest_stack;
  static_cast<ThreadPosition&>(thread) = image.position;
  if (!lives) {
    thread.lowest_stack = lowest;
    return;
  }
  const auto since = static_cast<std::size_t>(image.same_since);
  go_back(thread, images_[since].threads[static_cast<std::size_t>(thread.id)].own, keys);
}

void Milestones::go_back(Thread& thread, const OwnImage& image, int keys) {
  std::copy(image.hb.begin(), image.hb.end(), thread.hb);
  copy(image.spin, thread.spin);
  thread.kept = image.kept;
  thread.effects = image.effects;
  thread.adds = image.adds;
  thread.frames = image.frames;
  if (image.random.is_seeded) thread.random = image.random;
  else thread.random.is_seeded = false;
  std::copy(image.destructors.begin(), image.destructors.end(), thread.destructors);
  std::fill_n(thread.keys, keys, nullptr);
  std::copy(image.keys.begin(), image.keys.end(), thread.keys);
}

}  // namespace ordeal::runtime
