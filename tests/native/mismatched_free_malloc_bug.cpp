// EXPECT: bug mismatched-free memory from malloc() is given to delete
#include <cstdlib>
#include <thread>

int main() {
  int* block = static_cast<int*>(std::malloc(sizeof(int)));
  std::thread([&] { delete block; }).join();  // BUG
}
