// Part of odd_mixed_languages_ok.cpp.
int twice(int n) { return 2 * n; }
