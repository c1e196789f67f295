// Functions on memory and strings: the linker brings the program's calls here (base/wrapped_functions.h), so that the bytes
// they read and write are seen. Clang calls __tsan_memcpy and its kin for the same.
#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"

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

ORDEAL_ABI std::size_t __wrap_strlen(const char* text) {
  reads_string(text, ORDEAL_SITE);
  return std::strlen(text);
}
ORDEAL_ABI std::size_t __wrap_strnlen(const char* text, std::size_t limit) {
  reads_string(text, limit, ORDEAL_SITE);
  return strnlen(text, limit);
}
#define ORDEAL_COMPARE(NAME)                                              \
  ORDEAL_ABI int __wrap_##NAME(const char* a, const char* b) {            \
    reads_string(a, ORDEAL_SITE);                                         \
    reads_string(b, ORDEAL_SITE);                                         \
    return NAME(a, b);                                                    \
  }
#define ORDEAL_COMPARE_LIMITED(NAME)                                              \
  ORDEAL_ABI int __wrap_##NAME(const char* a, const char* b, std::size_t limit) { \
    reads_string(a, limit, ORDEAL_SITE);                                          \
    reads_string(b, limit, ORDEAL_SITE);                                          \
    return NAME(a, b, limit);                                                     \
  }
ORDEAL_COMPARE(strcmp)
ORDEAL_COMPARE(strcasecmp)
ORDEAL_COMPARE_LIMITED(strncmp)
ORDEAL_COMPARE_LIMITED(strncasecmp)
ORDEAL_ABI char* __wrap_strchr(const char* text, int byte) {
  reads_string(text, ORDEAL_SITE);
  return const_cast<char*>(std::strchr(text, byte));
}
ORDEAL_ABI char* __wrap_strrchr(const char* text, int byte) {
  reads_string(text, ORDEAL_SITE);
  return const_cast<char*>(std::strrchr(text, byte));
}
ORDEAL_ABI char* __wrap_strstr(const char* text, const char* wanted) {
  reads_string(text, ORDEAL_SITE);
  reads_string(wanted, ORDEAL_SITE);
  return const_cast<char*>(std::strstr(text, wanted));
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

ORDEAL_ABI int __wrap_puts(const char* text) {
  reads_string(text, ORDEAL_SITE);
  return std::puts(text);
}
ORDEAL_ABI int __wrap_fputs(const char* text, std::FILE* file) {
  reads_string(text, ORDEAL_SITE);
  return std::fputs(text, file);
}
ORDEAL_ABI std::size_t __wrap_fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* file) {
  reads(from, size * count, ORDEAL_SITE);
  return std::fwrite(from, size, count, file);
}
ORDEAL_ABI ssize_t __wrap_write(int file, const void* from, std::size_t size) {
  reads(from, size, ORDEAL_SITE);
  return write(file, from, size);
}
ORDEAL_ABI int __wrap_snprintf(char* to, std::size_t limit, const char* format, ...) {
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length >= 0) writes(to, std::min(limit, static_cast<std::size_t>(length) + 1), ORDEAL_SITE);
  const int result = std::vsnprintf(to, limit, format, arguments);
  va_end(arguments);
  return result;
}
ORDEAL_ABI int __wrap_sprintf(char* to, const char* format, ...) {
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length >= 0) writes(to, static_cast<std::size_t>(length) + 1, ORDEAL_SITE);
  const int result = std::vsprintf(to, format, arguments);
  va_end(arguments);
  return result;
}
