// EXPECT: verified 1
// Copies of a standard exception share their text inside libstdc++, whose count says who ends it. That is no event.
#include <cassert>
#include <stdexcept>
#include <thread>

int main() {
  auto* error = new std::out_of_range("text");
  bool is_right_there = false;
  std::thread other([&is_right_there, copy = *error] { is_right_there = copy.what()[0] == 't'; });
  const bool is_right_here = error->what()[1] == 'e';
  delete error;
  other.join();
  assert(is_right_here && is_right_there);
}
