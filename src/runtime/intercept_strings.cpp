// Functions on memory and strings: the linker brings the program's calls here (base/wrapped_functions.h), so that the bytes
// they read and write are seen. Clang calls __tsan_memcpy and its kin for the same.
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/outside.h"

namespace ordeal::runtime {
namespace {

void reads(const void* address, std::size_t size, std::uintptr_t site) {
  if (is_checked()) plain_read(reinterpret_cast<std::uintptr_t>(address), size, site);
}
void writes(void* address, std::size_t size, std::uintptr_t site) {
  if (is_checked()) plain_write(reinterpret_cast<std::uintptr_t>(address), size, site);
}
void reads_string(const char* text, std::uintptr_t site) {
  if (is_checked()) reads(text, std::strlen(text) + 1, site);
}
void reads_string(const char* text, std::size_t limit, std::uintptr_t site) {
  if (!is_checked()) return;
  const std::size_t length = strnlen(text, limit);
  reads(text, length < limit ? length + 1 : limit, site);
}

void reads_wide(const wchar_t* text, std::size_t count, std::uintptr_t site) { reads(text, count * sizeof *text, site); }
void writes_wide(wchar_t* text, std::size_t count, std::uintptr_t site) { writes(text, count * sizeof *text, site); }
/// As many characters as a function of at most `limit` looks at: those up to the end, and the end.
std::size_t looked_at(const wchar_t* text, std::size_t limit = SIZE_MAX) {
  const std::size_t length = wcsnlen(text, limit);
  return length < limit ? length + 1 : limit;
}

/// Two strings that are compared are read up to where they differ, or end.
template <class Letter, class Same>
void reads_both(const Letter* a, const Letter* b, std::size_t limit, Same&& same, std::uintptr_t site) {
  if (!is_checked()) return;
  std::size_t count = 0;
  while (count < limit && same(a[count], b[count]) && a[count] != 0) ++count;
  if (count < limit) ++count;
  reads(a, count * sizeof(Letter), site);
  reads(b, count * sizeof(Letter), site);
}
bool is_same(char a, char b) { return a == b; }
bool is_same_wide(wchar_t a, wchar_t b) { return a == b; }
bool is_same_letter(char a, char b) { return strncasecmp(&a, &b, 1) == 0; }

/// One that is searched, up to what was found (`size` bytes from there), or its end.
void reads_up_to(const char* text, const char* found, std::size_t size, std::uintptr_t site) {
  if (found == nullptr) reads_string(text, site);
  else reads(text, static_cast<std::size_t>(found - text) + size, site);
}

/// A number was read from it, up to `end`, and what ended the number was looked at. errno is the caller's.
template <class Number>
Number note_number(Number number, const char* text, const char* end, std::uintptr_t site) {
  const int error = errno;
  reads(text, static_cast<std::size_t>(end - text) + 1, site);
  errno = error;
  return number;
}

char* duplicate(const char* text, std::size_t length) {
  char* copy = static_cast<char*>(malloc(length + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
  reads(from, size, ORDEAL_SITE);
  writes(to, size, ORDEAL_SITE);
  return std::memcpy(to, from, size);
}
ORDEAL_ABI void* __wrap_mempcpy(void* to, const void* from, std::size_t size) {
  reads(from, size, ORDEAL_SITE);
  writes(to, size, ORDEAL_SITE);
  return static_cast<char*>(std::memcpy(to, from, size)) + size;
}
ORDEAL_ABI void* __wrap_memmove(void* to, const void* from, std::size_t size) {
  reads(from, size, ORDEAL_SITE);
  writes(to, size, ORDEAL_SITE);
  return std::memmove(to, from, size);
}
ORDEAL_ABI void* __wrap_memset(void* to, int value, std::size_t size) {
  writes(to, size, ORDEAL_SITE);
  return std::memset(to, value, size);
}
ORDEAL_ABI void __wrap_bzero(void* to, std::size_t size) {
  writes(to, size, ORDEAL_SITE);
  std::memset(to, 0, size);
}
ORDEAL_ABI void __wrap_explicit_bzero(void* to, std::size_t size) {
  writes(to, size, ORDEAL_SITE);
  std::memset(to, 0, size);
}
ORDEAL_ABI void __wrap_bcopy(const void* from, void* to, std::size_t size) {
  reads(from, size, ORDEAL_SITE);
  writes(to, size, ORDEAL_SITE);
  std::memmove(to, from, size);
}
ORDEAL_ABI void* __wrap_memccpy(void* to, const void* from, int last, std::size_t size) {
  const void* found = std::memchr(from, last, size);
  const std::size_t count = found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(from)) + 1 : size;
  reads(from, count, ORDEAL_SITE);
  writes(to, count, ORDEAL_SITE);
  std::memcpy(to, from, count);
  return found != nullptr ? static_cast<char*>(to) + count : nullptr;
}
/// What it compares, the program reads; that it moves the elements is seen here only.
ORDEAL_ABI void __wrap_qsort(void* base, std::size_t count, std::size_t size, int (*compare)(const void*, const void*)) {
  if (count > 1) writes(base, count * size, ORDEAL_SITE);
  std::qsort(base, count, size, compare);
}
ORDEAL_ABI void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  reads(from, size, ORDEAL_SITE);
  writes(to, size, ORDEAL_SITE);
  return std::memcpy(to, from, size);
}
ORDEAL_ABI void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  reads(from, size, ORDEAL_SITE);
  writes(to, size, ORDEAL_SITE);
  return std::memmove(to, from, size);
}
ORDEAL_ABI void* __tsan_memset(void* to, int value, std::size_t size) {
  writes(to, size, ORDEAL_SITE);
  return std::memset(to, value, size);
}
ORDEAL_ABI int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
  reads(a, size, ORDEAL_SITE);
  reads(b, size, ORDEAL_SITE);
  return std::memcmp(a, b, size);
}
ORDEAL_ABI int __wrap_bcmp(const void* a, const void* b, std::size_t size) {
  reads(a, size, ORDEAL_SITE);
  reads(b, size, ORDEAL_SITE);
  return std::memcmp(a, b, size);
}
ORDEAL_ABI void* __wrap_memchr(const void* text, int byte, std::size_t size) {
  void* found = const_cast<void*>(std::memchr(text, byte, size));
  reads(text, found != nullptr ? static_cast<std::size_t>(static_cast<char*>(found) - static_cast<const char*>(text)) + 1 : size, ORDEAL_SITE);
  return found;
}

ORDEAL_ABI void* __wrap_memrchr(const void* text, int byte, std::size_t size) {
  const void* found = memrchr(text, byte, size);
  const std::size_t skipped = found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(text)) : 0;
  reads(static_cast<const char*>(text) + skipped, size - skipped, ORDEAL_SITE);
  return const_cast<void*>(found);
}
ORDEAL_ABI void* __wrap_memmem(const void* text, std::size_t size, const void* wanted, std::size_t wanted_size) {
  const void* found = memmem(text, size, wanted, wanted_size);
  reads(text, found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(text)) + wanted_size : size, ORDEAL_SITE);
  reads(wanted, wanted_size, ORDEAL_SITE);
  return const_cast<void*>(found);
}

ORDEAL_ABI std::size_t __wrap_strlen(const char* text) {
  reads_string(text, ORDEAL_SITE);
  return std::strlen(text);
}
ORDEAL_ABI std::size_t __wrap_strnlen(const char* text, std::size_t limit) {
  reads_string(text, limit, ORDEAL_SITE);
  return strnlen(text, limit);
}
#define ORDEAL_COMPARE(NAME, SAME)                                                \
  ORDEAL_ABI int __wrap_##NAME(const char* a, const char* b) {                    \
    reads_both(a, b, SIZE_MAX, SAME, ORDEAL_SITE);                                \
    return NAME(a, b);                                                            \
  }
#define ORDEAL_COMPARE_LIMITED(NAME, SAME)                                        \
  ORDEAL_ABI int __wrap_##NAME(const char* a, const char* b, std::size_t limit) { \
    reads_both(a, b, limit, SAME, ORDEAL_SITE);                                   \
    return NAME(a, b, limit);                                                     \
  }
ORDEAL_COMPARE(strcmp, is_same)
ORDEAL_COMPARE(strcasecmp, is_same_letter)
ORDEAL_COMPARE_LIMITED(strncmp, is_same)
ORDEAL_COMPARE_LIMITED(strncasecmp, is_same_letter)
ORDEAL_ABI int __wrap_strcoll(const char* a, const char* b) {
  reads_string(a, ORDEAL_SITE);
  reads_string(b, ORDEAL_SITE);
  return std::strcoll(a, b);
}
ORDEAL_ABI std::size_t __wrap_strxfrm(char* to, const char* from, std::size_t limit) {
  reads_string(from, ORDEAL_SITE);
  const std::size_t length = std::strxfrm(to, from, limit);
  if (limit > 0) writes(to, std::min(limit, length + 1), ORDEAL_SITE);
  return length;
}
ORDEAL_ABI char* __wrap_strchr(const char* text, int byte) {
  char* found = const_cast<char*>(std::strchr(text, byte));
  reads_up_to(text, found, 1, ORDEAL_SITE);
  return found;
}
ORDEAL_ABI char* __wrap_strrchr(const char* text, int byte) {
  reads_string(text, ORDEAL_SITE);
  return const_cast<char*>(std::strrchr(text, byte));
}
ORDEAL_ABI char* __wrap_strchrnul(const char* text, int byte) {
  char* found = const_cast<char*>(strchrnul(text, byte));
  reads_up_to(text, found, 1, ORDEAL_SITE);
  return found;
}
ORDEAL_ABI char* __wrap_strstr(const char* text, const char* wanted) {
  char* found = const_cast<char*>(std::strstr(text, wanted));
  reads_up_to(text, found, std::strlen(wanted), ORDEAL_SITE);
  reads_string(wanted, ORDEAL_SITE);
  return found;
}
ORDEAL_ABI char* __wrap_strcasestr(const char* text, const char* wanted) {
  char* found = const_cast<char*>(strcasestr(text, wanted));
  reads_up_to(text, found, std::strlen(wanted), ORDEAL_SITE);
  reads_string(wanted, ORDEAL_SITE);
  return found;
}
ORDEAL_ABI std::size_t __wrap_strspn(const char* text, const char* set) {
  const std::size_t length = std::strspn(text, set);
  reads(text, length + 1, ORDEAL_SITE);
  reads_string(set, ORDEAL_SITE);
  return length;
}
ORDEAL_ABI std::size_t __wrap_strcspn(const char* text, const char* set) {
  const std::size_t length = std::strcspn(text, set);
  reads(text, length + 1, ORDEAL_SITE);
  reads_string(set, ORDEAL_SITE);
  return length;
}
ORDEAL_ABI char* __wrap_strpbrk(const char* text, const char* set) {
  const std::size_t length = std::strcspn(text, set);
  reads(text, length + 1, ORDEAL_SITE);
  reads_string(set, ORDEAL_SITE);
  return text[length] != 0 ? const_cast<char*>(text) + length : nullptr;
}

/// Of these, the token's end is written where it is not the text's.
ORDEAL_ABI char* __wrap_strtok(char* text, const char* set) {
  reads_string(set, ORDEAL_SITE);
  if (text != nullptr) reads_string(text, ORDEAL_SITE);
  const char* end = text != nullptr ? text + std::strlen(text) : nullptr;
  char* token = std::strtok(text, set);
  if (token != nullptr && end != nullptr && token + std::strlen(token) != end) writes(token + std::strlen(token), 1, ORDEAL_SITE);
  return token;
}
ORDEAL_ABI char* __wrap_strtok_r(char* text, const char* set, char** rest) {
  reads_string(set, ORDEAL_SITE);
  if (text != nullptr || *rest != nullptr) reads_string(text != nullptr ? text : *rest, ORDEAL_SITE);
  writes(rest, sizeof *rest, ORDEAL_SITE);
  char* token = strtok_r(text, set, rest);
  if (token != nullptr && *rest != token + std::strlen(token)) writes(token + std::strlen(token), 1, ORDEAL_SITE);
  return token;
}
ORDEAL_ABI char* __wrap_strsep(char** rest, const char* set) {
  reads_string(set, ORDEAL_SITE);
  writes(rest, sizeof *rest, ORDEAL_SITE);
  char* token = strsep(rest, set);
  if (token == nullptr) return nullptr;
  reads_string(token, ORDEAL_SITE);
  if (*rest != nullptr) writes(*rest - 1, 1, ORDEAL_SITE);
  return token;
}
ORDEAL_ABI char* __wrap_strcpy(char* to, const char* from) {
  reads_string(from, ORDEAL_SITE);
  writes(to, std::strlen(from) + 1, ORDEAL_SITE);
  return std::strcpy(to, from);
}
ORDEAL_ABI char* __wrap_stpcpy(char* to, const char* from) {
  reads_string(from, ORDEAL_SITE);
  writes(to, std::strlen(from) + 1, ORDEAL_SITE);
  return stpcpy(to, from);
}
ORDEAL_ABI char* __wrap_strncpy(char* to, const char* from, std::size_t limit) {
  reads_string(from, limit, ORDEAL_SITE);
  writes(to, limit, ORDEAL_SITE);
  return std::strncpy(to, from, limit);
}
ORDEAL_ABI char* __wrap_stpncpy(char* to, const char* from, std::size_t limit) {
  reads_string(from, limit, ORDEAL_SITE);
  writes(to, limit, ORDEAL_SITE);
  return stpncpy(to, from, limit);
}
ORDEAL_ABI char* __wrap_strcat(char* to, const char* from) {
  reads_string(from, ORDEAL_SITE);
  reads_string(to, ORDEAL_SITE);
  writes(to + std::strlen(to), std::strlen(from) + 1, ORDEAL_SITE);
  return std::strcat(to, from);
}
ORDEAL_ABI char* __wrap_strncat(char* to, const char* from, std::size_t limit) {
  reads_string(from, limit, ORDEAL_SITE);
  reads_string(to, ORDEAL_SITE);
  writes(to + std::strlen(to), strnlen(from, limit) + 1, ORDEAL_SITE);
  return std::strncat(to, from, limit);
}
ORDEAL_ABI char* __wrap_strdup(const char* text) {
  reads_string(text, ORDEAL_SITE);
  return duplicate(text, std::strlen(text));
}
ORDEAL_ABI char* __wrap_strndup(const char* text, std::size_t limit) {
  reads_string(text, limit, ORDEAL_SITE);
  return duplicate(text, strnlen(text, limit));
}

// Numbers. (Who gives no place for the end does not get one.)
#define ORDEAL_INTEGER(TYPE, NAME)                                                \
  ORDEAL_ABI TYPE __wrap_##NAME(const char* text, char** end, int base) {         \
    char* stop = const_cast<char*>(text);                                         \
    const TYPE number = NAME(text, &stop, base);                                  \
    if (end != nullptr) writes(end, sizeof *end, ORDEAL_SITE), *end = stop;       \
    return note_number(number, text, stop, ORDEAL_SITE);                          \
  }
#define ORDEAL_FLOAT(TYPE, NAME)                                                  \
  ORDEAL_ABI TYPE __wrap_##NAME(const char* text, char** end) {                   \
    char* stop = const_cast<char*>(text);                                         \
    const TYPE number = NAME(text, &stop);                                        \
    if (end != nullptr) writes(end, sizeof *end, ORDEAL_SITE), *end = stop;       \
    return note_number(number, text, stop, ORDEAL_SITE);                          \
  }
ORDEAL_INTEGER(long, strtol)
ORDEAL_INTEGER(unsigned long, strtoul)
ORDEAL_INTEGER(long long, strtoll)
ORDEAL_INTEGER(unsigned long long, strtoull)
ORDEAL_FLOAT(float, strtof)
ORDEAL_FLOAT(double, strtod)
ORDEAL_FLOAT(long double, strtold)
#define ORDEAL_DECIMAL(TYPE, NAME, BY)                                            \
  ORDEAL_ABI TYPE __wrap_##NAME(const char* text) {                               \
    char* stop = const_cast<char*>(text);                                         \
    const auto number = static_cast<TYPE>(BY);                                    \
    return note_number(number, text, stop, ORDEAL_SITE);                          \
  }
ORDEAL_DECIMAL(int, atoi, std::strtol(text, &stop, 10))
ORDEAL_DECIMAL(long, atol, std::strtol(text, &stop, 10))
ORDEAL_DECIMAL(long long, atoll, std::strtoll(text, &stop, 10))
ORDEAL_DECIMAL(double, atof, std::strtod(text, &stop))

// Wide characters.
ORDEAL_ABI wchar_t* __wrap_wmemcpy(wchar_t* to, const wchar_t* from, std::size_t count) {
  reads_wide(from, count, ORDEAL_SITE);
  writes_wide(to, count, ORDEAL_SITE);
  return wmemcpy(to, from, count);
}
ORDEAL_ABI wchar_t* __wrap_wmempcpy(wchar_t* to, const wchar_t* from, std::size_t count) {
  reads_wide(from, count, ORDEAL_SITE);
  writes_wide(to, count, ORDEAL_SITE);
  return wmempcpy(to, from, count);
}
ORDEAL_ABI wchar_t* __wrap_wmemmove(wchar_t* to, const wchar_t* from, std::size_t count) {
  reads_wide(from, count, ORDEAL_SITE);
  writes_wide(to, count, ORDEAL_SITE);
  return wmemmove(to, from, count);
}
ORDEAL_ABI wchar_t* __wrap_wmemset(wchar_t* to, wchar_t value, std::size_t count) {
  writes_wide(to, count, ORDEAL_SITE);
  return wmemset(to, value, count);
}
ORDEAL_ABI int __wrap_wmemcmp(const wchar_t* a, const wchar_t* b, std::size_t count) {
  reads_wide(a, count, ORDEAL_SITE);
  reads_wide(b, count, ORDEAL_SITE);
  return wmemcmp(a, b, count);
}
ORDEAL_ABI wchar_t* __wrap_wmemchr(const wchar_t* text, wchar_t letter, std::size_t count) {
  const wchar_t* found = wmemchr(text, letter, count);
  reads_wide(text, found != nullptr ? static_cast<std::size_t>(found - text) + 1 : count, ORDEAL_SITE);
  return const_cast<wchar_t*>(found);
}
ORDEAL_ABI std::size_t __wrap_wcslen(const wchar_t* text) {
  if (is_checked()) reads_wide(text, looked_at(text), ORDEAL_SITE);
  return wcslen(text);
}
ORDEAL_ABI std::size_t __wrap_wcsnlen(const wchar_t* text, std::size_t limit) {
  if (is_checked()) reads_wide(text, looked_at(text, limit), ORDEAL_SITE);
  return wcsnlen(text, limit);
}
ORDEAL_ABI int __wrap_wcscmp(const wchar_t* a, const wchar_t* b) {
  reads_both(a, b, SIZE_MAX, is_same_wide, ORDEAL_SITE);
  return wcscmp(a, b);
}
ORDEAL_ABI int __wrap_wcsncmp(const wchar_t* a, const wchar_t* b, std::size_t limit) {
  reads_both(a, b, limit, is_same_wide, ORDEAL_SITE);
  return wcsncmp(a, b, limit);
}
ORDEAL_ABI wchar_t* __wrap_wcschr(const wchar_t* text, wchar_t letter) {
  const wchar_t* found = wcschr(text, letter);
  reads_wide(text, found != nullptr ? static_cast<std::size_t>(found - text) + 1 : looked_at(text), ORDEAL_SITE);
  return const_cast<wchar_t*>(found);
}
ORDEAL_ABI wchar_t* __wrap_wcsrchr(const wchar_t* text, wchar_t letter) {
  reads_wide(text, looked_at(text), ORDEAL_SITE);
  return const_cast<wchar_t*>(wcsrchr(text, letter));
}
ORDEAL_ABI wchar_t* __wrap_wcscpy(wchar_t* to, const wchar_t* from) {
  reads_wide(from, looked_at(from), ORDEAL_SITE);
  writes_wide(to, looked_at(from), ORDEAL_SITE);
  return wcscpy(to, from);
}
ORDEAL_ABI wchar_t* __wrap_wcsncpy(wchar_t* to, const wchar_t* from, std::size_t limit) {
  reads_wide(from, looked_at(from, limit), ORDEAL_SITE);
  writes_wide(to, limit, ORDEAL_SITE);
  return wcsncpy(to, from, limit);
}
ORDEAL_ABI wchar_t* __wrap_wcscat(wchar_t* to, const wchar_t* from) {
  reads_wide(from, looked_at(from), ORDEAL_SITE);
  reads_wide(to, looked_at(to), ORDEAL_SITE);
  writes_wide(to + wcslen(to), looked_at(from), ORDEAL_SITE);
  return wcscat(to, from);
}
ORDEAL_ABI wchar_t* __wrap_wcsncat(wchar_t* to, const wchar_t* from, std::size_t limit) {
  reads_wide(from, looked_at(from, limit), ORDEAL_SITE);
  reads_wide(to, looked_at(to), ORDEAL_SITE);
  writes_wide(to + wcslen(to), wcsnlen(from, limit) + 1, ORDEAL_SITE);
  return wcsncat(to, from, limit);
}

ORDEAL_ABI int __wrap_puts(const char* text) {
  reads_string(text, ORDEAL_SITE);
  return std::puts(text);
}
ORDEAL_ABI int __wrap_fputs(const char* text, std::FILE* file) {
  reads_string(text, ORDEAL_SITE);
  Outside::release_before_output(file, ORDEAL_SITE);
  return std::fputs(text, file);
}
ORDEAL_ABI std::size_t __wrap_fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* file) {
  reads(from, size * count, ORDEAL_SITE);
  Outside::release_before_output(file, ORDEAL_SITE);
  return std::fwrite(from, size, count, file);
}
ORDEAL_ABI ssize_t __wrap_write(int file, const void* from, std::size_t size) {
  reads(from, size, ORDEAL_SITE);
  return write(file, from, size);
}
