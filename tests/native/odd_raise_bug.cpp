// EXPECT: bug signal
// A signal that the program sends to itself ends it.
#include <csignal>

int main() { std::raise(SIGTERM); }
