// EXPECT: bug mismatched-free memory from new[] is given to delete
int main() {
  int* volatile block = new int[2];
  delete block;  // BUG
}
