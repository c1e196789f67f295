// The functions of memory, strings and output that the linker redirects to the runtime. The compiler wrapper gives the linker
// --wrap=NAME for each, so that the program's calls of NAME become calls of __wrap_NAME, which the runtime defines: it sees
// the bytes that are read and written, and then calls the real one. This list is the only one; both sides include it.
//
//   #define DEFINE(name) …
//   ORDEAL_WRAPPED_FUNCTIONS(DEFINE)
#pragma once

// clang-format off
#define ORDEAL_WRAPPED_FUNCTIONS(X) \
  X(memcpy) X(mempcpy) X(memmove) X(memset) X(memcmp) X(memchr) X(bcmp) X(bzero)     \
  X(strlen) X(strnlen) X(strcmp) X(strncmp) X(strcasecmp) X(strncasecmp)            \
  X(strchr) X(strrchr) X(strstr)                                                   \
  X(strcpy) X(stpcpy) X(strncpy) X(strcat) X(strncat) X(strdup) X(strndup)          \
  X(puts) X(fputs) X(fwrite) X(write) X(sprintf) X(snprintf)
// clang-format on
