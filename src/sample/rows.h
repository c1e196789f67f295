// What a thread knows, as a row of ticks: entry u counts what is known of thread u.
//
// A thread's ticks go on when it releases something, so what a thread knew when it released is (the row without its own
// entry, its own tick). That row stays the same until the thread acquires; stores share it, and who lets go of it last frees it.
#pragma once

#include <cstdint>
#include <vector>

namespace ordeal::sample {

using Tick = std::uint32_t;

struct Row {
  std::uint32_t users = 0;
  std::uint32_t width = 0;
  bool is_mixed = false;   // joined of several threads' rows: one entry does not tell whether it is known
  Row* fence = nullptr;    // of the latest seq_cst fence that is known: what fences before it knew
  std::uint64_t time = 0;  // of that fence in S; of a fence's own row: when it came
  Tick* ticks() { return reinterpret_cast<Tick*>(this + 1); }
  Tick at(int thread) { return static_cast<std::uint32_t>(thread) < width ? ticks()[thread] : 0; }
};

/// What a store publishes, or a sync object holds: nothing, or (row, tick of a thread).
struct Published {
  Row* row = nullptr;
  Tick tick = 0;
  std::int32_t thread = -1;
};

/// Rows are taken from lists, by width: in the steady state nothing is allocated.
class Rows {
 public:
  Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows();
  /// With one user. Its ticks are not set.
  Row* make(int width);
  Row* share(Row* row) {
    if (row != nullptr) ++row->users;
    return row;
  }
  void let_go(Row* row) {
    if (row != nullptr && --row->users == 0) free(row);
  }
  std::uint64_t in_use() const { return in_use_; }

 private:
  void free(Row* row);
  std::vector<std::vector<Row*>> free_;  // by width / 4
  std::vector<void*> blocks_;
  std::uint64_t in_use_ = 0;
};

}  // namespace ordeal::sample
