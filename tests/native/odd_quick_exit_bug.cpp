// EXPECT: bug exit-code 4
// PENDING: quick_exit is refused
#include <cstdlib>

int main() { std::quick_exit(4); }
