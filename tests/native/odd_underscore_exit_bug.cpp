// EXPECT: bug exit-code 9
// PENDING: _exit is refused
#include <unistd.h>

int main() { _exit(9); }
