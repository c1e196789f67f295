// EXPECT: bug data-race 'pair.second[1]' (local of work)
// PENDING (clang): Clang 14 does not instrument accesses of a function to members of its own local variables
// A member of a local variable of a function that is neither main nor a lambda.
#include <thread>

struct Pair {
  int first;
  long second[2];
};

__attribute__((noinline)) void work(long start) {
  Pair pair{1, {start, 3}};
  std::thread a([&pair] { pair.second[1] += 1; });  // BUG
  pair.second[1] = 4;                               // BUG
  a.join();
}

int main() { work(2); }
