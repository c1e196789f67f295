// EXPECT: cannot-check __tsan_switch_to_fiber
void __tsan_switch_to_fiber(void*, unsigned);
int main(void) { __tsan_switch_to_fiber(0, 0); }
