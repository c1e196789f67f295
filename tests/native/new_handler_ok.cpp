// EXPECT: verified 1
// When there is no memory, new calls the handler until that throws or gives up; what it throws is caught.
#include <cassert>
#include <cstddef>
#include <new>

int calls;
volatile std::size_t too_much = std::size_t{1} << 62;

int main() {
  std::set_new_handler([] {
    if (++calls == 3) std::set_new_handler(nullptr);
  });
  try {
    char* volatile block = new char[too_much];
    delete[] block;
  } catch (const std::bad_alloc&) {
    assert(calls == 3);
    assert(new (std::nothrow) char[too_much] == nullptr);
    return 0;
  }
  return 1;
}
