// EXPECT: bug data-race times_seen
// The copies share their text, but not what else is in them.
#include <stdexcept>
#include <thread>

struct Failure : std::runtime_error {  // BUG
  using std::runtime_error::runtime_error;
  int times_seen = 0;
};

Failure failure("text");

int main() {
  std::thread other([copy = failure]() mutable {
    ++copy.times_seen;
    failure = copy;  // BUG
  });
  const int seen = failure.times_seen;  // BUG
  other.join();
  return seen > 1;
}
