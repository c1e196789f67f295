// EXPECT: bug deadlock guard
#include <mutex>

std::mutex guard;

int main() {
  guard.lock();
  guard.lock();  // BUG
}
