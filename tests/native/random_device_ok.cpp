// EXPECT: verified 1
// SHOWS: note: random numbers are the same in each execution
// The same in each execution, but not always the same.
#include <cassert>
#include <cstdlib>
#include <random>

int main() {
  std::random_device device;
  const unsigned one = device(), two = device(), three = device();
  assert(one != two || two != three);
  std::mt19937 engine(one);
  assert(std::uniform_int_distribution<int>(1, 6)(engine) <= 6);
  assert(std::rand() >= 0);
}
