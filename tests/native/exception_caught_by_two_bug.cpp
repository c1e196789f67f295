// EXPECT: bug data-race
// Both catch the same object, and both change it.
#include <exception>
#include <thread>
#include <utility>

struct Failure {
  int times_seen = 0;
};

void count(std::exception_ptr failure) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (Failure& caught) {
    ++caught.times_seen;  // BUG
  }
}

int main() {
  std::exception_ptr failure = std::make_exception_ptr(Failure());
  std::thread other(count, failure);
  count(std::move(failure));
  other.join();
}
