#include "runtime/symmetry.h"

#include <algorithm>
#include <utility>

#include "model/symmetry.h"
#include "runtime/heap.h"
#include "runtime/native_program.h"
#include "runtime/tls.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kMostAccesses = 100'000;  // between two creations; beyond that the threads are not symmetric
constexpr std::uintptr_t kLine = 64;

std::string name_of(const Thread& thread) { return thread.id == 0 ? "main" : "thread " + std::to_string(thread.id); }

std::pair<std::size_t, std::uint64_t> bit_of(std::uintptr_t line) {
  const std::uint64_t hash = line * 0x9E3779B97F4A7C15 >> 52;
  return {hash / 64, std::uint64_t{1} << hash % 64};
}

bool contains(const Range& outer, const Range& inner) {
  return outer.begin <= inner.begin && inner.begin + inner.size <= outer.begin + outer.size;
}

/// What the thread begins with. Its argument may be a block of the heap.
ThreadStart start_of(const Thread& parent, const Thread& child) {
  ThreadStart start;
  const auto argument = reinterpret_cast<std::uintptr_t>(child.argument);
  if (is_heap(argument)) {
    const Block block = ProgramHeap::find(argument);
    if (block.address == argument) start.block = {argument, block.size};
  }
  start.content.add(reinterpret_cast<const void*>(start.block.begin), start.block.size);
  start.others.add(reinterpret_cast<std::uintptr_t>(child.routine));
  start.others.add(parent.random.is_seeded ? 1 : 0);  // it is handed down
  if (parent.random.is_seeded) start.others.add(&parent.random, sizeof parent.random);
  return start;
}

}  // namespace

void Symmetry::give_up(std::string why) {
  if (broken_.empty()) broken_ = std::move(why);
}

bool Symmetry::is_in_group(const Thread& thread) const { return thread.group >= 0 && program_.thread(thread.group).group_size > 1; }

/// REQUIRES: its start and argument are set.
bool Symmetry::continues_group(const Thread& parent, const Thread& child) const {
  if (parent.last_child < 0 || parent.window < 0 || parent.clock_of_creation != parent.hb[parent.id]) return false;
  const Thread& before = program_.thread(parent.last_child);
  if (before.group < 0 || before.knows_itself || before.is_detached || before.start.others != child.start.others) return false;
  if (before.argument == child.argument) return true;
  return before.start.block.size > 0 && before.start.block.size == child.start.block.size && before.start.content == child.start.content;
}

model::Value Symmetry::enter(Thread& parent, Thread& child, bool is_detached) {
  if (!is_on_) return 0;
  child.start = start_of(parent, child);
  const bool continues = !is_detached && continues_group(parent, child);
  child.group = continues ? program_.thread(parent.last_child).group : child.id;
  child.place_in_group = continues ? program_.thread(parent.last_child).place_in_group + 1 : 1;
  if (is_detached) child.group = -1;
  if (continues) {
    const Thread& before = program_.thread(parent.last_child);
    const bool is_own_block = before.argument != child.argument;
    for (const SeenAccess& access : parent.window_accesses)
      if (!is_own_block || !contains(child.start.block, access.range)) watch({access.range, child.group, -1, access.is_write});
    if (is_own_block) {
      watch_argument(before);
      watch_argument(child);
    }
  }
  parent.window_accesses.clear();
  return child.group < 0 ? 0 : model::group_named_by(model::ThreadId{child.group});
}

void Symmetry::note_created(Thread& parent, const Thread& child) {
  if (!is_on_) return;
  if (child.group >= 0) program_.thread(child.group).group_size = child.place_in_group;
  int symmetric = 0;
  for (int t = 0; t < program_.thread_count(); ++t) symmetric += program_.thread(t).state != Thread::State::kUnused && is_in_group(program_.thread(t)) ? 1 : 0;
  most_threads_ = std::max(most_threads_, symmetric);
  parent.last_child = child.id;
  parent.window = child.group;
  parent.clock_of_creation = parent.hb[parent.id];
  parent.window_accesses.clear();
}

void Symmetry::note_joined(Thread& joiner, const Thread& joined, bool wants_result) {
  if (!is_in_group(joined)) return;
  if (wants_result && joined.returned != nullptr) give_up("what " + name_of(joined) + " returns is asked for");
  if (joiner.joining != joined.group) joiner.joined = 0;
  joiner.joining = joined.group;
  if (++joiner.joined == program_.thread(joined.group).group_size) joiner.joining = -1;
}

void Symmetry::note_operation(Thread& thread, const engine::Operation& operation) {
  if (operation.kind != engine::OperationKind::kCreate) thread.window = -1;
  if (thread.joining < 0) return;
  const bool is_join = operation.kind == engine::OperationKind::kJoin;
  if (!is_join || program_.thread(number(operation.access.other)).group != thread.joining)
    give_up(name_of(thread) + " does something else before it has joined all of them");
}

void Symmetry::note_identity(Thread& thread) {
  thread.knows_itself = true;
  if (is_in_group(thread)) give_up(name_of(thread) + " asks who it is (pthread_self, std::this_thread::get_id)");
}

void Symmetry::note_detached(const Thread& thread) {
  if (is_in_group(thread)) give_up(name_of(thread) + " is detached");
}

// --- memory ------------------------------------------------------------------------------------------------------------------

void Symmetry::watch(const Watched& watched) {
  if (watched.range.size == 0 || std::find(watched_.begin(), watched_.end(), watched) != watched_.end()) return;
  watched_.push_back(watched);
  for (std::uintptr_t line = watched.range.begin / kLine; line <= (watched.range.begin + watched.range.size - 1) / kLine; ++line) {
    const auto [word, bit] = bit_of(line);
    may_be_watched_[word] |= bit;
  }
}

void Symmetry::watch_argument(const Thread& thread) { watch({thread.start.block, thread.group, thread.id, true}); }

bool Symmetry::is_violated(const Watched& watched, const Thread& thread, const Range& range, bool is_write) const {
  if (!watched.range.overlaps(range)) return false;
  if (watched.owner < 0) return thread.group == watched.group && (is_write || watched.is_write);
  const Thread& owner = program_.thread(watched.owner);
  const bool is_there = owner.state != Thread::State::kUnused && owner.start.block == watched.range && is_in_group(owner);
  return is_there && thread.id != watched.owner;
}

void Symmetry::note_access(Thread& thread, std::uintptr_t address, std::size_t size, bool is_write) {
  const Range range{address, size};
  if (thread.window >= 0) {
    if (thread.window_accesses.size() < kMostAccesses) thread.window_accesses.push_back({range, is_write});
    else thread.window = -1;
  }
  if (thread.joining >= 0 && Shadow::has_access(address, size, [&](int other, bool wrote) {
        return other != thread.id && other < program_.thread_count() && program_.thread(other).group == thread.joining && (wrote || is_write);
      }))
    give_up(name_of(thread) + " accesses what they access before it has joined all of them");
  for (std::uintptr_t line = address / kLine; line <= (address + size - 1) / kLine; ++line) {
    const auto [word, bit] = bit_of(line);
    if ((may_be_watched_[word] & bit) == 0) continue;
    for (const Watched& watched : watched_)
      if (is_violated(watched, thread, range, is_write))
        give_up(watched.owner >= 0 ? name_of(thread) + " accesses the argument of thread " + std::to_string(watched.owner)
                                   : name_of(thread) + " accesses what its creator accesses between the creations");
    return;
  }
}

// --- what they ask for ---------------------------------------------------------------------------------------------------------

/// Addresses in memory that is each thread's own, at the same place there.
bool Symmetry::are_own(const Thread& a, model::Value of_a, const Thread& b, model::Value of_b) const {
  const auto distance = static_cast<std::uint64_t>(of_b) - static_cast<std::uint64_t>(of_a);
  const auto threads = static_cast<std::uint64_t>(b.id) - static_cast<std::uint64_t>(a.id);
  return distance == threads * kHeapStride || distance == threads * kStackStride ||
         distance == TlsPool::base(b.id) - TlsPool::base(a.id) ||
         (a.start.block.size > 0 && distance == b.start.block.begin - a.start.block.begin);
}

bool Symmetry::are_same_or_own(const model::Access& a, model::Value of_a, const model::Access& b, model::Value of_b) const {
  if (of_a == of_b) return true;
  const Thread &first = program_.thread(number(a.thread)), &second = program_.thread(number(b.thread));
  // Waiting at a condition variable: a bit for each thread.
  const auto bit = [](const Thread& thread) { return thread.id < 63 ? model::Value{1} << thread.id : 0; };
  const bool sets = a.function == model::RmwFunction::kOr || a.await == model::Await::kWoken;
  if (sets && of_a == bit(first) && of_b == bit(second)) return true;
  if (a.function == model::RmwFunction::kAnd && of_a == ~bit(first) && of_b == ~bit(second)) return true;
  return a.bits == 64 && are_own(first, of_a, second, of_b);
}

bool Symmetry::are_counterparts(const model::Access& a, const model::Access& b) const {
  const bool waits = a.await == model::Await::kUseful || b.await == model::Await::kUseful;  // each learns for itself
  if (a.kind != b.kind || a.order != b.order || a.failure_order != b.failure_order || a.function != b.function || a.bits != b.bits || a.site != b.site) return false;
  if (!waits && (a.await != b.await || a.is_weak != b.is_weak || a.needs_rival != b.needs_rival)) return false;
  if (a.kind == model::EventKind::kCreate) return (a.operand == 0) == (b.operand == 0);
  if (a.location != b.location) {
    if (a.location == model::kNoLocation || b.location == model::kNoLocation) return false;
    const auto address = [&](const model::Access& access) { return static_cast<model::Value>(program_.location_table()[access.location].address); };
    if (!are_own(program_.thread(number(a.thread)), address(a), program_.thread(number(b.thread)), address(b))) return false;
  }
  return are_same_or_own(a, a.operand, b, b.operand) && are_same_or_own(a, a.expected, b, b.expected);
}

}  // namespace ordeal::runtime
