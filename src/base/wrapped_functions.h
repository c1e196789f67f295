// The functions of memory, strings and output that the linker redirects to the runtime. The compiler wrapper gives the linker
// --wrap=NAME for each, so that the program's calls of NAME become calls of __wrap_NAME, which the runtime defines: it sees
// the bytes that are read and written, and then calls the real one. This list is the only one; both sides include it.
//
// No name that programs have for things of their own (`index`): the linker would take theirs for it.
//
//   #define DEFINE(name) …
//   ORDEAL_WRAPPED_FUNCTIONS(DEFINE)
#pragma once

// clang-format off
#define ORDEAL_WRAPPED_FUNCTIONS(X) \
  X(memcpy) X(mempcpy) X(memccpy) X(memmove) X(memset) X(memcmp) X(memchr) X(memrchr) X(memmem)         \
  X(bcmp) X(bcopy) X(bzero) X(explicit_bzero) X(qsort)                                                  \
  X(strlen) X(strnlen) X(strcmp) X(strncmp) X(strcasecmp) X(strncasecmp) X(strcoll) X(strxfrm)          \
  X(strchr) X(strchrnul) X(strrchr) X(strstr) X(strcasestr) X(strspn) X(strcspn) X(strpbrk) \
  X(strtok) X(strtok_r) X(strsep)                                                                       \
  X(strcpy) X(stpcpy) X(strncpy) X(stpncpy) X(strcat) X(strncat) X(strdup) X(strndup)                   \
  X(strtol) X(strtoul) X(strtoll) X(strtoull) X(strtof) X(strtod) X(strtold) X(atoi) X(atol) X(atoll) X(atof) \
  X(wmemcpy) X(wmempcpy) X(wmemmove) X(wmemset) X(wmemcmp) X(wmemchr)                                   \
  X(wcslen) X(wcsnlen) X(wcscmp) X(wcsncmp) X(wcschr) X(wcsrchr) X(wcscpy) X(wcsncpy) X(wcscat) X(wcsncat) \
  X(puts) X(fputs) X(fwrite) X(write)                                                                   \
  X(printf) X(fprintf) X(dprintf) X(sprintf) X(snprintf) X(asprintf)                                    \
  X(vprintf) X(vfprintf) X(vdprintf) X(vsprintf) X(vsnprintf) X(vasprintf)
// clang-format on
