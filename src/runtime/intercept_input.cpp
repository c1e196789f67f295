// Functions of stdio that read, and some that write. While the program is tested, one that would wait for a pipe, a socket or a terminal lets the other threads
// go on until there is something (outside.h): libc's own would wait in the kernel, with all of them. So what fits into no buffer is read byte by
// byte, each when it is there. What they put into the program's memory is noted as written.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/loops/trace.h"
#include "runtime/outside.h"
#include "runtime/system_call.h"
#include "runtime/testing.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {
namespace {

template <class Signature>
Signature* real_input(const char* name) {
  return reinterpret_cast<Signature*>(dlsym(RTLD_NEXT, name));
}
#define ORDEAL_REAL(SIGNATURE, NAME) static auto* const real = real_input<SIGNATURE>(NAME)

/// Whether other threads could go on while it waits. Ordinary files never do.
bool would_wait_for(std::FILE* file) {
  if (!is_checked() || !is_testing || Testing::is_alone()) return false;
  struct stat status {};
  return syscall(SYS_fstat, fileno(file), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::size_t buffered(const std::FILE* file) { return static_cast<std::size_t>(file->_IO_read_end - file->_IO_read_ptr); }

/// Before libc reads from the file: there is something, or its end.
void wait_for_input(std::FILE* file, std::uintptr_t site) {
  if (buffered(file) > 0 || std::feof(file) != 0) return;
  while (!Outside::wait_for_file(fileno(file), POLLIN)) {
  }  // a stream that a signal interrupts would be broken
  Outside::acquire(site);
}

/// A call of libc that may read.
template <class Call>
auto while_reading(Call&& call) {
  if (!is_checked()) return call();
  flush_pending_write();
  note_effect(*NativeProgram::current, trace::KeptBy::kInputOutput);
  if (is_testing) Testing::note_change();
  Watchdog::enter_call();
  const auto result = call();
  Watchdog::leave_call();
  return result;
}

int next_byte(std::FILE* file, std::uintptr_t site) {
  ORDEAL_REAL(int(std::FILE*), "getc");
  if (buffered(file) == 0 && would_wait_for(file)) wait_for_input(file, site);
  return while_reading([&] { return real(file); });
}

/// Some of these bytes, at least one; 0: the end.
std::size_t next_bytes(char* to, std::size_t most, std::FILE* file, std::uintptr_t site) {
  const int byte = next_byte(file, site);
  if (byte == EOF) return 0;
  to[0] = static_cast<char>(byte);
  const std::size_t rest = std::min(most - 1, buffered(file));
  if (rest == 0) return 1;
  ORDEAL_REAL(std::size_t(void*, std::size_t, std::size_t, std::FILE*), "fread");
  return 1 + real(to + 1, 1, rest, file);
}

/// A line behind what `line` has room for, which grows; -1: there is none.
ssize_t next_line(char** line, std::size_t* room, int end, std::FILE* file, std::uintptr_t site) {
  std::size_t length = 0;
  for (int byte = 0; byte != end;) {
    byte = next_byte(file, site);
    if (byte == EOF) break;
    if (*line == nullptr || length + 2 > *room) {
      const std::size_t larger = std::max<std::size_t>(120, *line == nullptr ? 0 : *room * 2);
      char* moved = static_cast<char*>(std::realloc(*line, larger));
      if (moved == nullptr) return -1;
      *line = moved;
      *room = larger;
    }
    (*line)[length++] = static_cast<char>(byte);
  }
  if (length == 0) return -1;
  (*line)[length] = 0;
  return static_cast<ssize_t>(length);
}

ssize_t read_line(char** line, std::size_t* room, int end, std::FILE* file, std::uintptr_t site) {
  ORDEAL_REAL(ssize_t(char**, std::size_t*, int, std::FILE*), "getdelim");
  const ssize_t length = would_wait_for(file) ? next_line(line, room, end, file, site) : while_reading([&] { return real(line, room, end, file); });
  if (!is_checked()) return length;
  const int error = errno;
  plain_write(reinterpret_cast<std::uintptr_t>(line), sizeof *line, site);
  plain_write(reinterpret_cast<std::uintptr_t>(room), sizeof *room, site);
  if (length >= 0) note_filled(reinterpret_cast<long>(*line), length + 1, site);
  errno = error;
  return length;
}

/// Only its first byte is waited for: the format alone knows how many there must be.
int scan(std::FILE* file, const char* format, std::va_list arguments, std::uintptr_t site) {
  ORDEAL_REAL(int(std::FILE*, const char*, std::va_list), "__isoc99_vfscanf");
  if (would_wait_for(file)) wait_for_input(file, site);
  return while_reading([&] { return real(file, format, arguments); });
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int ordeal_getc(std::FILE* file) __asm__("getc");
ORDEAL_ABI int ordeal_getc(std::FILE* file) { return next_byte(file, ORDEAL_SITE); }
ORDEAL_ABI int fgetc(std::FILE* file) { return next_byte(file, ORDEAL_SITE); }
ORDEAL_ABI int _IO_getc(std::FILE* file) { return next_byte(file, ORDEAL_SITE); }
ORDEAL_ABI int ordeal_getchar() __asm__("getchar");
ORDEAL_ABI int ordeal_getchar() { return next_byte(stdin, ORDEAL_SITE); }

ORDEAL_ABI char* fgets(char* to, int size, std::FILE* file) {
  ORDEAL_REAL(char*(char*, int, std::FILE*), "fgets");
  if (!would_wait_for(file) || size < 2) {
    char* result = while_reading([&] { return real(to, size, file); });
    if (result != nullptr && is_checked()) note_filled(reinterpret_cast<long>(to), static_cast<long>(std::strlen(to)) + 1, ORDEAL_SITE);
    return result;
  }
  int length = 0;
  for (int byte = 0; length + 1 < size && byte != '\n'; to[length++] = static_cast<char>(byte))
    if ((byte = next_byte(file, ORDEAL_SITE)) == EOF) break;
  if (length == 0 || std::ferror(file) != 0) return nullptr;
  to[length] = 0;
  note_filled(reinterpret_cast<long>(to), length + 1, ORDEAL_SITE);
  return to;
}

/// libc reads larger parts of a file right into the buffer.
ORDEAL_ABI std::size_t fread(void* buffer, std::size_t size, std::size_t count, std::FILE* file) {
  ORDEAL_REAL(std::size_t(void*, std::size_t, std::size_t, std::FILE*), "fread");
  if (!is_checked()) return real(buffer, size, count, file);
  unprotect({{reinterpret_cast<long>(buffer), 0, 0, 0, 0, 0}});
  std::size_t done = 0;
  if (would_wait_for(file) && size != 0) {
    std::size_t bytes = 0;
    for (std::size_t more = 1; bytes < size * count && more > 0; bytes += more) more = next_bytes(static_cast<char*>(buffer) + bytes, size * count - bytes, file, ORDEAL_SITE);
    done = bytes / size;
  } else {
    done = while_reading([&] { return real(buffer, size, count, file); });
  }
  note_filled(reinterpret_cast<long>(buffer), static_cast<long>(done * size), ORDEAL_SITE);
  return done;
}

ORDEAL_ABI ssize_t ordeal_getline(char** line, std::size_t* room, std::FILE* file) __asm__("getline");
ORDEAL_ABI ssize_t ordeal_getline(char** line, std::size_t* room, std::FILE* file) { return read_line(line, room, '\n', file, ORDEAL_SITE); }
ORDEAL_ABI ssize_t ordeal_getdelim(char** line, std::size_t* room, int end, std::FILE* file) __asm__("getdelim");
ORDEAL_ABI ssize_t ordeal_getdelim(char** line, std::size_t* room, int end, std::FILE* file) { return read_line(line, room, end, file, ORDEAL_SITE); }
ORDEAL_ABI ssize_t __getdelim(char** line, std::size_t* room, int end, std::FILE* file) { return read_line(line, room, end, file, ORDEAL_SITE); }

ORDEAL_ABI int ordeal_scanf(const char* format, ...) __asm__("__isoc99_scanf");
ORDEAL_ABI int ordeal_scanf(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int result = scan(stdin, format, arguments, ORDEAL_SITE);
  va_end(arguments);
  return result;
}
ORDEAL_ABI int ordeal_fscanf(std::FILE* file, const char* format, ...) __asm__("__isoc99_fscanf");
ORDEAL_ABI int ordeal_fscanf(std::FILE* file, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int result = scan(file, format, arguments, ORDEAL_SITE);
  va_end(arguments);
  return result;
}

// What another thread reads at the other end comes behind what was done before it was written.
#define ORDEAL_OUTPUT(NAME, PARAMETERS, FILE_OF, ...)              \
  ORDEAL_ABI int ordeal_##NAME PARAMETERS __asm__(#NAME);          \
  ORDEAL_ABI int ordeal_##NAME PARAMETERS {                        \
    ORDEAL_REAL(int PARAMETERS, #NAME);                            \
    Outside::release_before_output(FILE_OF, ORDEAL_SITE);          \
    return real(__VA_ARGS__);                                      \
  }
ORDEAL_OUTPUT(fflush, (std::FILE * file), file, file)
ORDEAL_OUTPUT(fclose, (std::FILE * file), file, file)
ORDEAL_OUTPUT(fputc, (int byte, std::FILE* file), file, byte, file)
ORDEAL_OUTPUT(putc, (int byte, std::FILE* file), file, byte, file)
