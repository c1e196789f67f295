// EXPECT: verified 2
// The thread that has caught an exception hands it on, and leaves its catch clause before the other one or behind it.
#include <cassert>
#include <exception>
#include <string>
#include <thread>
#include <utility>

struct Failure {
  std::string where;
};

int main() {
  std::size_t size_here = 0, size_there = 0;
  std::thread other;
  try {
    throw Failure{"a place with a long name, on the heap"};
  } catch (const Failure& failure) {
    other = std::thread([&size_there, failure = std::current_exception()]() mutable {
      try {
        std::rethrow_exception(std::move(failure));
      } catch (const Failure& caught) {
        size_there = caught.where.size();
      }
    });
    size_here = failure.where.size();
  }
  other.join();
  assert(size_here == 37 && size_there == 37);
}
