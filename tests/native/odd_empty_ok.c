// EXPECT: verified 1
// One thread, one class.
int main(void) { return 0; }
