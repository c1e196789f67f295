#include "report/rows.h"

#include <algorithm>

namespace ordeal::report {

using model::EventKind;
using trace::TraceEvent;

bool Rows::are_halves(const TraceEvent& read, const TraceEvent& write) {
  return read.kind == EventKind::kRead && read.is_rmw && write.kind == EventKind::kWrite && write.is_rmw &&
         read.name.thread == write.name.thread && read.name.index + 1 == write.name.index;
}

Rows::Rows(const trace::Trace& trace) : trace_(trace), shown_(analysis::simplify(trace)), row_of_(trace.events.size()) {
  for (const std::size_t index : shown_.events) {
    if (events_.empty() || !are_halves(trace.events[events_.back()], trace.events[index])) events_.push_back(index);
    row_of_[index] = events_.size() - 1;
    index_[{trace.events[index].name.thread, trace.events[index].name.index}] = index;
  }
}

std::ptrdiff_t Rows::skipped(std::size_t read) const {
  const std::ptrdiff_t source = index_of(trace_.events[read].rf);
  const bool is_later = source >= 0 && row_of_[static_cast<std::size_t>(source)] >= row_of_[read];
  return is_later ? -1 : std::max<std::ptrdiff_t>(shown_.expected[read], -1);
}

std::string Rows::letter(std::size_t index) const {
  constexpr std::size_t kLetters = 26;
  const std::size_t row = row_of_[index];
  std::string name(1, static_cast<char>('a' + row % kLetters));
  return row < kLetters ? name : name + std::to_string(row / kLetters);
}

std::ptrdiff_t Rows::index_of(const trace::EventName& name) const {
  const auto found = index_.find({name.thread, name.index});
  return found == index_.end() ? -1 : static_cast<std::ptrdiff_t>(found->second);
}

}  // namespace ordeal::report
