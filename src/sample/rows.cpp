#include "sample/rows.h"

#include <cstddef>
#include <new>

namespace ordeal::sample {

Rows::~Rows() {
  for (void* block : blocks_) ::operator delete(block);
}

Row* Rows::make(int width) {
  const std::size_t sort = (static_cast<std::size_t>(width) + 3) / 4;
  if (sort >= free_.size()) free_.resize(sort + 1);
  std::vector<Row*>& list = free_[sort];
  if (list.empty()) {
    const std::size_t size = sizeof(Row) + sort * 4 * sizeof(Tick), count = sort < 64 ? 64 : 4;
    auto* block = static_cast<std::byte*>(::operator new(size * count));
    blocks_.push_back(block);
    for (std::size_t i = 0; i < count; ++i) list.push_back(new (block + i * size) Row);
  }
  ++in_use_;
  Row* row = list.back();
  list.pop_back();
  row->users = 1;
  row->width = static_cast<std::uint32_t>(width);
  row->is_mixed = false;
  row->fence = nullptr;
  row->time = 0;
  return row;
}

void Rows::free(Row* row) {
  let_go(row->fence);
  --in_use_;
  free_[(row->width + 3) / 4].push_back(row);
}

}  // namespace ordeal::sample
