// EXPECT: bug exit-code 9
#include <unistd.h>

int main() { _exit(9); }
