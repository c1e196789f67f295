// EXPECT: bug no-progress main
// OPTIONS: --watchdog 1
// Before any thread is there, and without any access to memory.
int main() {
  for (;;) asm volatile("");  // BUG
}
