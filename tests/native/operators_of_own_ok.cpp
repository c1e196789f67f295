// EXPECT: verified 1
// A program with its own operator new and delete, made of malloc and free: the ones that it does not define call them.
#include <cassert>
#include <cstdlib>
#include <new>
#include <string>

int news, deletes;

void* operator new(std::size_t size) {
  ++news;
  if (void* block = std::malloc(size)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept {
  ++deletes;
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }

int main() {
  int* volatile one = new int;
  int* volatile several = new int[3];
  assert(news == 2);
  delete one;
  delete[] several;
  assert(deletes == 2);
  std::string* volatile text = new std::string(100, 'x');
  assert(news == 4);
  delete text;
  assert(deletes == 4);
}
