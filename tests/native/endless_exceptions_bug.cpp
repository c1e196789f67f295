// EXPECT: bug no-progress main
// OPTIONS: --watchdog 1
// The thread is mostly inside the unwinder, where it must not be stopped.
int main() {
  for (;;) {
    try {
      throw 1;  // BUG
    } catch (int) {  // BUG
    }  // BUG
  }  // BUG
}
