// Where the columns of a table begin: one a thread, then the places in the source.
//
// Only one column of a row is filled, so a text may reach into those to its right. A table that is too wide for the terminal loses the
// columns that have no row, then the others move together; headings become short ("t12"), and only then texts are cut.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ordeal::report {

class TableColumns {
 public:
  struct Thread {
    std::string name;
    std::size_t widest = 0;  // of its texts
    bool has_rows = false;
  };
  /// `width`: of the terminal, 0 for any; `longest_place`: 0, if there are none.
  TableColumns(std::vector<Thread> threads, std::size_t longest_place, std::size_t width);

  static constexpr std::size_t kLeft = 6, kGap = 2;
  std::size_t start(std::size_t thread) const { return start_[thread]; }
  std::size_t place() const { return place_; }
  /// Names, with what is needed to their left.
  std::string headings() const;

 private:
  void place_columns();
  void move_together(std::size_t end);

  std::vector<Thread> threads_;
  std::vector<bool> is_shown_;
  std::vector<std::size_t> start_;
  std::size_t place_ = 0;
};

}  // namespace ordeal::report
