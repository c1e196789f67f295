// printf and its kin: the strings that are printed are read, the text that is made is written (base/wrapped_functions.h). Which arguments are
// strings is said by the format.
#include <algorithm>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/outside.h"

namespace ordeal::runtime {
namespace {

void reads_text(const char* text, std::size_t limit, std::uintptr_t site) {
  if (text == nullptr || limit == 0) return;
  const std::size_t length = strnlen(text, limit);
  plain_read(reinterpret_cast<std::uintptr_t>(text), length < limit ? length + 1 : limit, site);
}
void writes_bytes(const void* address, std::size_t size, std::uintptr_t site) {
  if (is_checked() && size > 0) plain_write(reinterpret_cast<std::uintptr_t>(address), size, site);
}

/// A width or precision: digits, or `*`, which is an argument. A negative one is none.
int number_at(const char*& at, std::va_list& arguments) {
  if (*at == '*') {
    ++at;
    return va_arg(arguments, int);
  }
  int number = 0;
  for (; *at >= '0' && *at <= '9'; ++at) number = number < INT_MAX / 10 ? number * 10 + (*at - '0') : number;
  return number;
}

/// Notes the strings among the arguments. Formats that number their arguments (`%1$s`), and what is not known, end it.
void note_arguments(const char* format, std::va_list given, std::uintptr_t site) {
  if (!is_checked()) return;
  std::va_list arguments;
  va_copy(arguments, given);
  for (const char* at = format; *at != 0;) {
    if (*at++ != '%') continue;
    while (*at != 0 && std::strchr("-+ #0'I", *at) != nullptr) ++at;
    number_at(at, arguments);
    int precision = -1;
    if (*at == '.') precision = number_at(++at, arguments);
    char length = 0;
    for (; *at != 0 && std::strchr("hlLqjzt", *at) != nullptr; ++at) length = *at == 'h' ? 'h' : *at == 'L' ? 'L' : 'l';
    const char kind = *at;
    if (kind != 0) ++at;
    const auto is_one_of = [kind](const char* kinds) { return kind != 0 && std::strchr(kinds, kind) != nullptr; };
    if (is_one_of("%m")) continue;
    if (is_one_of("diouxX") && (length == 'l' || length == 'L')) va_arg(arguments, long);
    else if (is_one_of("diouxXc")) va_arg(arguments, int);
    else if (is_one_of("eEfFgGaA") && length == 'L') va_arg(arguments, long double);
    else if (is_one_of("eEfFgGaA")) va_arg(arguments, double);
    else if (kind == 's' && length == 0) reads_text(va_arg(arguments, const char*), precision >= 0 ? static_cast<std::size_t>(precision) : SIZE_MAX, site);
    else if (is_one_of("psS")) va_arg(arguments, const void*);
    else if (kind == 'n') writes_bytes(va_arg(arguments, void*), length == 0 ? sizeof(int) : length == 'h' ? 1 : sizeof(long), site);
    else break;
  }
  va_end(arguments);
}

/// How much of the buffer it will write.
void note_result(char* to, std::size_t limit, const char* format, std::va_list given, std::uintptr_t site) {
  if (!is_checked()) return;
  std::va_list arguments;
  va_copy(arguments, given);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  if (length >= 0) writes_bytes(to, std::min(limit, static_cast<std::size_t>(length) + 1), site);
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

// Each twice: with the arguments, and with a list of them.
#define ORDEAL_ARGUMENTS(LAST, ...)                    \
  std::va_list arguments;                              \
  va_start(arguments, LAST);                           \
  note_arguments(format, arguments, ORDEAL_SITE);      \
  const int result = __VA_ARGS__;                      \
  va_end(arguments);                                   \
  return result

ORDEAL_ABI int __wrap_printf(const char* format, ...) { ORDEAL_ARGUMENTS(format, std::vprintf(format, arguments)); }
ORDEAL_ABI int __wrap_fprintf(std::FILE* file, const char* format, ...) {
  ORDEAL_ARGUMENTS(format, (Outside::release_before_output(file, ORDEAL_SITE), std::vfprintf(file, format, arguments)));
}
ORDEAL_ABI int __wrap_dprintf(int file, const char* format, ...) { ORDEAL_ARGUMENTS(format, vdprintf(file, format, arguments)); }
ORDEAL_ABI int __wrap_asprintf(char** to, const char* format, ...) { ORDEAL_ARGUMENTS(format, (writes_bytes(to, sizeof *to, ORDEAL_SITE), vasprintf(to, format, arguments))); }
ORDEAL_ABI int __wrap_sprintf(char* to, const char* format, ...) {
  ORDEAL_ARGUMENTS(format, (note_result(to, SIZE_MAX, format, arguments, ORDEAL_SITE), std::vsprintf(to, format, arguments)));
}
ORDEAL_ABI int __wrap_snprintf(char* to, std::size_t limit, const char* format, ...) {
  ORDEAL_ARGUMENTS(format, (note_result(to, limit, format, arguments, ORDEAL_SITE), std::vsnprintf(to, limit, format, arguments)));
}

ORDEAL_ABI int __wrap_vprintf(const char* format, std::va_list arguments) {
  note_arguments(format, arguments, ORDEAL_SITE);
  return std::vprintf(format, arguments);
}
ORDEAL_ABI int __wrap_vfprintf(std::FILE* file, const char* format, std::va_list arguments) {
  note_arguments(format, arguments, ORDEAL_SITE);
  Outside::release_before_output(file, ORDEAL_SITE);
  return std::vfprintf(file, format, arguments);
}
ORDEAL_ABI int __wrap_vdprintf(int file, const char* format, std::va_list arguments) {
  note_arguments(format, arguments, ORDEAL_SITE);
  return vdprintf(file, format, arguments);
}
ORDEAL_ABI int __wrap_vasprintf(char** to, const char* format, std::va_list arguments) {
  note_arguments(format, arguments, ORDEAL_SITE);
  writes_bytes(to, sizeof *to, ORDEAL_SITE);
  return vasprintf(to, format, arguments);
}
ORDEAL_ABI int __wrap_vsprintf(char* to, const char* format, std::va_list arguments) {
  note_arguments(format, arguments, ORDEAL_SITE);
  note_result(to, SIZE_MAX, format, arguments, ORDEAL_SITE);
  return std::vsprintf(to, format, arguments);
}
ORDEAL_ABI int __wrap_vsnprintf(char* to, std::size_t limit, const char* format, std::va_list arguments) {
  note_arguments(format, arguments, ORDEAL_SITE);
  note_result(to, limit, format, arguments, ORDEAL_SITE);
  return std::vsnprintf(to, limit, format, arguments);
}
