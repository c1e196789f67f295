// EXPECT: verified
#include <cassert>
#include <stop_token>
#include <thread>

int done;

int main() {
  {
    std::jthread a([](std::stop_token stop) {
      while (!stop.stop_requested()) {
      }
      done = 1;
    });
  }
  assert(done == 1);
}
