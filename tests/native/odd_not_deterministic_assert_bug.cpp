// EXPECT: cannot-check not deterministic
// FLAGS: -O1
// An assertion that fails only the first time: the file is not there yet.
#include <unistd.h>

#include <cassert>
#include <cstdio>

int main() {
  const bool was_there = access("left-behind", F_OK) == 0;
  if (std::FILE* file = std::fopen("left-behind", "w")) std::fclose(file);
  assert(was_there);
}
