// EXPECT: bug lock-misuse guard
#include <mutex>

std::mutex guard;

int main() {
  guard.unlock();  // BUG
}
