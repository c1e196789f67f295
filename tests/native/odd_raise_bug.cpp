// EXPECT: bug signal
// PENDING: raise is refused
// A signal that the program sends to itself ends it.
#include <csignal>

int main() { std::raise(SIGTERM); }
