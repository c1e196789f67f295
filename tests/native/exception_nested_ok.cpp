// EXPECT: verified 4
// Each of two threads rethrows an exception, and from inside of it the one that it was made from. Which of
// them leaves the inner catch clause last, and which the outer: two times two.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

struct Failure {
  std::string where;
};

std::exception_ptr make() {
  try {
    try {
      throw Failure{"a place with a long name, on the heap"};
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (...) {
    return std::current_exception();
  }
}

std::size_t size_inside(std::exception_ptr outer) {
  try {
    std::rethrow_exception(std::move(outer));
  } catch (const std::exception& caught) {
    try {
      std::rethrow_if_nested(caught);
    } catch (const Failure& inner) {
      return inner.where.size();
    }
  }
  return 0;
}

int main() {
  std::exception_ptr outer = make();
  std::size_t size_there = 0;
  std::thread other([&size_there, outer]() mutable { size_there = size_inside(std::move(outer)); });
  const std::size_t size_here = size_inside(std::move(outer));
  other.join();
  assert(size_here == 37 && size_there == 37);
}
