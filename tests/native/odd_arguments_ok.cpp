// EXPECT: verified 1
// ARGUMENTS: one two
#include <cassert>
#include <cstring>

int main(int count, char** arguments) {
  assert(count == 3 && std::strcmp(arguments[2], "two") == 0 && arguments[3] == nullptr);
}
