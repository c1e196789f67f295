// EXPECT: bug no-progress|deadlock
// Nobody asks it to stop before it is joined by hand.
#include <thread>

int main() {
  std::jthread worker([](std::stop_token token) {
    while (!token.stop_requested()) {  // BUG
    }
  });
  std::jthread other;
  other.request_stop();
  const bool can_stop = worker.get_stop_source().stop_possible() && worker.get_stop_token().stop_possible();
  if (can_stop) worker.join();  // BUG
}
