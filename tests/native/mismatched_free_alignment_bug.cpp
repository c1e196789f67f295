// EXPECT: bug mismatched-free memory from new with an alignment of 64 is given to delete without an alignment
#include <new>

int main() {
  void* block = operator new(64, std::align_val_t{64});
  operator delete(block);  // BUG
}
