// EXPECT: verified 1
// More than any machine has: the allocation fails as it would without Ordeal.
#include <cassert>
#include <cstdlib>
#include <new>

int main() {
  volatile std::size_t size = std::size_t{1} << 45;
  assert(std::malloc(size) == nullptr);
  try {
    char* volatile block = new char[size];
    delete[] block;
    assert(false);
  } catch (const std::bad_alloc&) {
  }
}
