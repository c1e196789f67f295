#include "report/table_columns.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "report/printable.h"

namespace ordeal::report {
namespace {

/// The number is what tells threads apart.
std::string heading(const std::string& name, std::size_t room) {
  constexpr std::string_view kWord = "thread ";
  const bool is_short = columns(name) > room && name.starts_with(kWord);
  return cut_end(is_short ? fmt::format("t{}", name.substr(kWord.size())) : name, room);
}

}  // namespace

TableColumns::TableColumns(std::vector<Thread> threads, std::size_t longest_place, std::size_t width) : threads_(std::move(threads)), is_shown_(threads_.size(), true) {
  for (Thread& thread : threads_) thread.widest = std::max(thread.widest, columns(thread.name));
  const std::size_t room = width > longest_place ? width - longest_place : 0;
  const auto fits = [&] { return width == 0 || place_ - (longest_place == 0 ? kGap : 0) <= room; };
  place_columns();
  if (fits() || threads_.empty()) return;
  for (std::size_t t = 0; t < threads_.size(); ++t) is_shown_[t] = threads_[t].has_rows;
  place_columns();
  const auto shown = static_cast<std::size_t>(std::count(is_shown_.begin(), is_shown_.end(), true));
  if (!fits()) move_together(std::max<std::size_t>(room, kLeft + kGap + 8 * shown));
}

void TableColumns::place_columns() {
  start_.assign(threads_.size(), kLeft);
  place_ = kLeft;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    start_[t] = place_;
    if (is_shown_[t]) place_ += threads_[t].widest + kGap;
  }
}

/// The widest step between columns with which every text ends before `end`.
void TableColumns::move_together(std::size_t end) {
  constexpr std::size_t kNarrowest = 8;
  std::size_t all_headings = kLeft;
  for (std::size_t t = 0; t < threads_.size(); ++t)
    if (is_shown_[t]) all_headings += columns(threads_[t].name) + kGap;
  const bool has_room = all_headings <= end;
  place_ = end;
  for (std::size_t scale = 100;; scale -= 5) {
    std::size_t next = kLeft;
    bool fits = true;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (!is_shown_[t]) continue;
      start_[t] = next;
      fits &= next + threads_[t].widest + kGap <= end;
      next += std::max((threads_[t].widest + kGap) * scale / 100, has_room ? columns(threads_[t].name) + kGap : kNarrowest);
    }
    if (fits || scale == 0) return;
  }
}

std::string TableColumns::headings() const {
  std::string text(kLeft, ' ');
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (!is_shown_[t]) continue;
    std::size_t next = t + 1;
    while (next < threads_.size() && !is_shown_[next]) ++next;
    text = padded(text, start_[t]) + heading(threads_[t].name, next < threads_.size() ? start_[next] - start_[t] - kGap : columns(threads_[t].name));
  }
  return text;
}

}  // namespace ordeal::report
