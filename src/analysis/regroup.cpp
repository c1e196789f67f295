#include "analysis/regroup.h"

namespace ordeal::analysis {

namespace {

/// An operation can come when nothing holds it back: each thing that does is counted.
class Regroup {
 public:
  Regroup(const Operations& operations, std::span<const OperationId> order, const HardOrders& hard)
      : all_(operations), behind_(operations.all.size()), left_(operations.all.size(), 0), done_(static_cast<std::size_t>(operations.threads), 0) {
    for (const auto& [first, second] : hard.before) hold_back(first, second);
    for (OperationId id = 0; id < all_.size(); ++id) {
      const Operation& operation = all_[id];
      if (operation.sort == Sort::kWake && operation.source >= 0) hold_back(operation.source, id);
      if (operation.other < 0 || all_.of_thread(operation.other).empty()) continue;
      if (operation.sort == Sort::kCreate) hold_back(id, all_.of_thread(operation.other).front());
      if (operation.sort == Sort::kJoin) hold_back(all_.of_thread(operation.other).back(), id);
    }
    keep(order);
  }

  std::vector<OperationId> run() {
    std::vector<OperationId> order;
    int thread = -1;
    while (order.size() < all_.all.size()) {
      const OperationId id = thread >= 0 && is_ready(next(thread)) ? next(thread) : first_ready();
      if (id == kNoOperation) return {};
      thread = all_[id].thread;
      ++done_[static_cast<std::size_t>(thread)];
      for (const OperationId behind : behind_[static_cast<std::size_t>(id)]) --left_[static_cast<std::size_t>(behind)];
      order.push_back(id);
    }
    return order;
  }

 private:
  void hold_back(OperationId first, OperationId second) {
    behind_[static_cast<std::size_t>(first)].push_back(second);
    ++left_[static_cast<std::size_t>(second)];
  }

  /// The writes of a location one behind the other; a read behind what it reads and, if it is not surprising, before the next.
  void keep(std::span<const OperationId> order) {
    std::vector<OperationId> memory(static_cast<std::size_t>(all_.locations), kNoOperation);
    std::vector<std::vector<OperationId>> readers(memory.size());  // since the last write
    std::vector<char> is_shown(all_.all.size(), 0);
    for (const OperationId id : order) {
      const Operation& operation = all_[id];
      is_shown[static_cast<std::size_t>(id)] = 1;
      if (operation.location < 0 || (!reads(operation.sort) && !writes(operation.sort))) continue;
      OperationId& last = memory[static_cast<std::size_t>(operation.location)];
      std::vector<OperationId>& since = readers[static_cast<std::size_t>(operation.location)];
      const bool is_last = reads(operation.sort) && operation.source == (last == kNoOperation ? initial_write(operation.location) : last);
      if (reads(operation.sort) && operation.source >= 0 && operation.source != id && is_shown[static_cast<std::size_t>(operation.source)] != 0) hold_back(operation.source, id);
      if (writes(operation.sort)) {
        if (last != kNoOperation) hold_back(last, id);
        for (const OperationId reader : since) hold_back(reader, id);
        since.clear();
        last = id;
      } else if (is_last) {
        since.push_back(id);
      }
    }
  }

  OperationId next(int thread) const {
    const auto mine = all_.of_thread(thread);
    const auto place = static_cast<std::size_t>(done_[static_cast<std::size_t>(thread)]);
    return place < mine.size() ? mine[place] : kNoOperation;
  }
  bool is_ready(OperationId id) const { return id != kNoOperation && left_[static_cast<std::size_t>(id)] == 0; }
  OperationId first_ready() const {
    OperationId first = kNoOperation;
    for (int t = 0; t < all_.threads; ++t)
      if (const OperationId id = next(t); is_ready(id) && (first == kNoOperation || id < first)) first = id;
    return first;
  }

  const Operations& all_;
  std::vector<std::vector<OperationId>> behind_;
  std::vector<int> left_;
  std::vector<std::int32_t> done_;
};

}  // namespace

std::vector<OperationId> regroup(const Operations& operations, std::span<const OperationId> order, const HardOrders& hard) {
  return Regroup(operations, order, hard).run();
}

}  // namespace ordeal::analysis
