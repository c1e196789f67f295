// EXPECT: bug exit-code 4
#include <cstdlib>

int main() { std::quick_exit(4); }
