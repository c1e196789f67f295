#!/usr/bin/env bash
# Random testing: what the C library's functions on memory, strings and formats read and write is seen, and no more than that.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"

# A thread writes one byte (or wide character) in the middle, main calls one function that must look there, or write there: a race in every execution.
cat >race.cpp <<'END2'
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <strings.h>
#include <thread>
#include <unistd.h>
char text[64] = "123 56";
char other[64];
wchar_t wide[16] = L"abcdef";
wchar_t wide_other[16];
int numbers[4] = {4, 3, 2, 1};
volatile long sink;
int by_list(int (*print)(char*, size_t, const char*, va_list), const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = print(other, sizeof other, format, arguments);
  va_end(arguments);
  return length;
}
int main(int, char** arguments) {
  std::FILE* nothing = std::fopen("/dev/null", "w");
  std::thread thread([] {
    text[2] = '4';
    wide[2] = L'x';
    numbers[2] = 7;
  });
  char *rest = text, *made = nullptr;
#define CALL(NAME, CODE) \
  if (!std::strcmp(arguments[1], #NAME)) sink = (long)(CODE)
  CALL(memcpy, memcpy(other, text, 8));
  CALL(mempcpy, mempcpy(other, text, 8));
  CALL(memccpy, memccpy(other, text, 'x', 8));
  CALL(memmove, memmove(text, text + 1, 8));
  CALL(memset, memset(text, 0, 8));
  CALL(memcmp, memcmp(text, other, 8));
  CALL(memchr, memchr(text, 'x', 8));
  CALL(memrchr, memrchr(text, '1', 8));
  CALL(memmem, memmem(text, 8, "xx", 2));
  CALL(bcmp, bcmp(text, other, 8));
  CALL(bcopy, (bcopy(text, other, 8), 0));
  CALL(bzero, (bzero(text, 8), 0));
  CALL(explicit_bzero, (explicit_bzero(text, 8), 0));
  CALL(qsort, (std::qsort(numbers, 4, sizeof(int), [](const void*, const void*) { return 0; }), 0));
  CALL(strlen, strlen(text));
  CALL(strnlen, strnlen(text, 8));
  CALL(strcmp, strcmp(text, "12x"));
  CALL(strncmp, strncmp(text, "123", 3));
  CALL(strcasecmp, strcasecmp(text, "12x"));
  CALL(strncasecmp, strncasecmp(text, "123", 3));
  CALL(strcoll, strcoll(text, "123"));
  CALL(strxfrm, strxfrm(other, text, 8));
  CALL(strchr, strchr(text, '5'));
  CALL(strchrnul, strchrnul(text, '5'));
  CALL(strrchr, strrchr(text, '1'));
  CALL(strstr, strstr(text, "56"));
  CALL(strcasestr, strcasestr(text, "56"));
  CALL(strspn, strspn(text, "12"));
  CALL(strcspn, strcspn(text, "3"));
  CALL(strpbrk, strpbrk(text, "5"));
  CALL(strtok, strtok(text, " "));
  CALL(strtok_r, strtok_r(text, " ", &rest));
  CALL(strsep, strsep(&rest, " "));
  CALL(strcpy, strcpy(other, text));
  CALL(stpcpy, stpcpy(other, text));
  CALL(strncpy, strncpy(text, "", 3));
  CALL(stpncpy, stpncpy(text, "", 3));
  CALL(strcat, strcat(other, text));
  CALL(strncat, strncat(other, text, 3));
  CALL(strdup, made = strdup(text));
  CALL(strndup, made = strndup(text, 3));
  CALL(strtol, strtol(text, nullptr, 10));
  CALL(strtoul, strtoul(text, nullptr, 10));
  CALL(strtoll, strtoll(text, nullptr, 10));
  CALL(strtoull, strtoull(text, nullptr, 10));
  CALL(strtof, strtof(text, nullptr));
  CALL(strtod, strtod(text, nullptr));
  CALL(strtold, strtold(text, nullptr));
  CALL(atoi, atoi(text));
  CALL(atol, atol(text));
  CALL(atoll, atoll(text));
  CALL(atof, atof(text));
  CALL(wmemcpy, wmemcpy(wide_other, wide, 3));
  CALL(wmempcpy, wmempcpy(wide_other, wide, 3));
  CALL(wmemmove, wmemmove(wide, wide + 1, 3));
  CALL(wmemset, wmemset(wide, 0, 3));
  CALL(wmemcmp, wmemcmp(wide, wide_other, 3));
  CALL(wmemchr, wmemchr(wide, L'z', 3));
  CALL(wcslen, wcslen(wide));
  CALL(wcsnlen, wcsnlen(wide, 3));
  CALL(wcscmp, wcscmp(wide, L"abd"));
  CALL(wcsncmp, wcsncmp(wide, L"abc", 3));
  CALL(wcschr, wcschr(wide, L'd'));
  CALL(wcsrchr, wcsrchr(wide, L'a'));
  CALL(wcscpy, wcscpy(wide_other, wide));
  CALL(wcsncpy, wcsncpy(wide, L"", 3));
  CALL(wcscat, wcscat(wide_other, wide));
  CALL(wcsncat, wcsncat(wide_other, wide, 3));
  CALL(puts, puts(text));
  CALL(fputs, fputs(text, nothing));
  CALL(fwrite, fwrite(text, 1, 8, nothing));
  CALL(write, write(1, text, 8));
  CALL(printf, printf("%d %s", 1, text));
  CALL(fprintf, fprintf(nothing, "%5.2f%-8s", 1.5, text));
  CALL(dprintf, dprintf(1, "%ld%%%.3s", 1L, text));
  CALL(sprintf, sprintf(other, "%Lf%c%*.*s", 1.5L, 'c', 4, 3, text));
  CALL(snprintf, snprintf(other, 8, "%zu%p%s", sizeof other, nullptr, text));
  CALL(snprintf_to, snprintf(text, 4, "%s", "abc"));
  CALL(asprintf, asprintf(&made, "%hhd%s", 1, text));
  CALL(vsnprintf, by_list(vsnprintf, "%lld%s", 1LL, text));
  CALL(vsprintf, by_list([](char* to, size_t, const char* format, va_list list) { return vsprintf(to, format, list); }, "%s", text));
  CALL(vprintf, by_list([](char*, size_t, const char* format, va_list list) { return vprintf(format, list); }, "%s", text));
  CALL(vfprintf, by_list([](char*, size_t, const char* format, va_list list) { return vfprintf(stdout, format, list); }, "%s", text));
  CALL(vdprintf, by_list([](char*, size_t, const char* format, va_list list) { return vdprintf(1, format, list); }, "%s", text));
  CALL(vasprintf, by_list([](char* to, size_t, const char* format, va_list list) { return vasprintf(&to, format, list); }, "%s", text));
  thread.join();
  std::free(made);
  std::fclose(nothing);
}
END2
"$ordeal" c++ -w -O1 -g -pthread race.cpp -o race
functions=$(grep -o '^  CALL([a-z_]*' race.cpp | cut -d'(' -f2)
for name in $functions; do
  tests race executions=5 "$name"
  grep -q "^bug data-race count=5" result || fail "$name is not seen"
done
# None is forgotten.
for name in $(grep -o 'X([a-z_]*)' "$ORDEAL_SOURCE_DIR/src/base/wrapped_functions.h" | tr -d 'X()' | sort -u); do
  [[ $name == name ]] || grep -qx "$name" <<<"$functions" || fail "no test calls $name"
done

# What is behind the end of a comparison, of a search, or of a number, is not looked at; the results are right.
cat >right.cpp <<'END2'
#include <cassert>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <string>
#include <strings.h>
#include <thread>
char text[16] = "hello world", number[16] = "123 x";
wchar_t wide[16] = L"abc";
int main() {
  std::thread thread([] {
    text[6] = 'W';
    number[4] = 'y';
    wide[5] = 1;
  });
  assert(strchr(text, 'e') == text + 1 && strchrnul(text, 'l') == text + 2);
  assert(strcmp(text, "help") < 0 && strncmp(text, "hellx", 5) < 0 && strncmp(text, "hello", 5) == 0);
  assert(strcasecmp(text, "HEY") < 0 && strncasecmp(text, "HELLO", 5) == 0);
  assert(strstr(text, "ll") == text + 2 && strcasestr(text, "LL") == text + 2 && memmem(text, 16, "ll", 2) == text + 2);
  assert(strspn(text, "he") == 2 && strcspn(text, "l") == 2 && strpbrk(text, "l") == text + 2 && memchr(text, 'h', 16) == text);
  char* end = nullptr;
  assert(atoi(number) == 123 && strtol(number, &end, 10) == 123 && end == number + 3 && strtod(number, nullptr) == 123);
  assert(std::stoi(std::string("77")) == 77);
  assert(wcslen(wide) == 3 && wcscmp(wide, L"abd") < 0 && wcschr(wide, L'b') == wide + 1);
  errno = 0;
  assert(strtol("99999999999999999999", nullptr, 10) == LONG_MAX && errno == ERANGE);
  char made[80], part[4];
  snprintf(made, sizeof made, "%.5s|%d|%5.2f|%ld|%c|%%|%s|%*d|%-*.*s|%zu|%Lf|%lld", text, 1, 2.5, 3L, 'x', "z", 4, 5, 6, 3, text, size_t{9}, 1.5L, 8LL);
  assert(!strcmp(made, "hello|1| 2.50|3|x|%|z|   5|hel   |9|1.500000|8"));
  assert(snprintf(nullptr, 0, "%s", "abc") == 3 && snprintf(part, 4, "%s", "abcdef") == 6 && !strcmp(part, "abc"));
  assert(snprintf(made, sizeof made, "%2$s%1$s", "b", "a") == 2 && !strcmp(made, "ab"));
  assert(snprintf(made, sizeof made, "%s", static_cast<const char*>(nullptr)) == 6);
  char first[] = "a,b", second[] = "a,b", third[] = "a b", *rest = nullptr, *next = second;
  assert(!strcmp(strtok_r(first, ",", &rest), "a") && !strcmp(strtok_r(nullptr, ",", &rest), "b") && !strtok_r(nullptr, ",", &rest));
  assert(!strcmp(strsep(&next, ","), "a") && !strcmp(strsep(&next, ","), "b") && !strsep(&next, ","));
  assert(!strcmp(strtok(third, " "), "a") && !strcmp(strtok(nullptr, " "), "b") && !strtok(nullptr, " "));
  int numbers[] = {3, 1, 2};
  std::qsort(numbers, 3, sizeof(int), [](const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); });
  assert(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
  thread.join();
}
END2
"$ordeal" c++ -w -O1 -g -pthread right.cpp -o right
tests right executions=200 && sampled

# Both sides of a race are told with all that they access, not with the part that lies in the same eight bytes.
cat >sizes.cpp <<'END2'
#include <atomic>
#include <cstring>
#include <thread>
char data[40];
std::atomic<bool> ready{false};
int main() {
  std::thread other([] {
    data[17] = 1;
    ready.store(true, std::memory_order_relaxed);
  });
  if (ready.load(std::memory_order_relaxed)) std::memset(data + 3, 0, 30);
  other.join();
}
END2
run "$ordeal" test --executions 100 sizes.cpp && exits 1
has stdout 'main writes 30 bytes'
has stdout 'thread 1 writes 1 byte'
