// EXPECT: bug exception std::runtime_error
#include <stdexcept>

int main() {
  throw std::runtime_error("no");  // BUG
}
