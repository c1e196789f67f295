// EXPECT: bounded --time
// OPTIONS: --time 1 --watchdog 0
// The time is over while a thread runs without any operation.
int main() {
  for (;;) asm volatile("");
}
