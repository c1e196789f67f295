#include "runtime/named_semaphores.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>

#include <cstring>
#include <functional>
#include <string_view>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/loops/trace.h"
#include "runtime/pthreads.h"
#include "runtime/stand_ins.h"
#include "runtime/sync.h"

namespace ordeal::runtime {
namespace {

constexpr int kNames = 256, kMostMade = 8;  // of a name, in an execution

struct Name {
  char text[NAME_MAX] = {};
  sem_t made[kMostMade] = {};
};
Name names[kNames];  // places are given by hash

/// Of a name: how often it was made, whether there is one now. Of a semaphore: how often it is open. (kReader: no location of the graph.)
NativeLocation& state_at(const void* object) {
  Locations& locations = NativeProgram::instance->location_table();
  return locations[locations.at(reinterpret_cast<std::uintptr_t>(object), 0, LocationSort::kReader)];
}
int& times_made(const Name& name) { return state_at(&name).depth; }
int& is_there(const Name& name) { return state_at(&name).holder; }  // -1: no
int& times_open(const sem_t& semaphore) { return state_at(&semaphore).depth; }

/// nullptr, and an error: it is no name.
Name* name_of(const char* text, std::uintptr_t site) {
  std::string_view name(text);
  while (name.starts_with('/')) name.remove_prefix(1);
  const std::size_t most = NAME_MAX - 4;  // libc's files are called "sem.…"
  errno = name.size() > most ? ENAMETOOLONG : EINVAL;
  if (name.empty() || name.size() > most || name.find('/') != name.npos) return nullptr;
  std::size_t at = std::hash<std::string_view>()(name) % kNames;
  for (int tried = 0; tried < kNames; ++tried, at = (at + 1) % kNames) {
    if (names[at].text[0] == 0) name.copy(names[at].text, name.size());
    if (names[at].text == name) return &names[at];
  }
  NativeProgram::instance->refuse("more than 256 names of semaphores", site);
}

struct NameStep {
  explicit NameStep(const Name& name, std::uintptr_t at) : object(&name), site(at) {
    note_effect(*NativeProgram::current);
    lock(object, site);
  }
  ~NameStep() { unlock(object, site); }
  NameStep(const NameStep&) = delete;
  NameStep& operator=(const NameStep&) = delete;
  const void* object;
  std::uintptr_t site;
};

}  // namespace

sem_t* NamedSemaphores::open(const char* text, int flags, unsigned count, std::uintptr_t site) {
  StandIns::gave_named_semaphores = true;
  Name* name = name_of(text, site);
  if (name == nullptr) return SEM_FAILED;
  int error = 0;
  sem_t* semaphore = SEM_FAILED;
  {
    const NameStep step(*name, site);
    const bool is_new = is_there(*name) < 0;
    if (is_new && (flags & O_CREAT) == 0) error = ENOENT;
    else if (!is_new && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) error = EEXIST;
    else if (is_new && count > SEM_VALUE_MAX) error = EINVAL;
    else {
      if (is_new && times_made(*name) == kMostMade) NativeProgram::instance->refuse("a semaphore's name made more than 8 times", site);
      if (is_new) is_there(*name) = times_made(*name)++;
      semaphore = &name->made[is_there(*name)];
      if (is_new) start_semaphore(semaphore, count, site);
      ++times_open(*semaphore);
    }
  }
  if (error != 0) errno = error;
  return semaphore;
}

int NamedSemaphores::close(sem_t* semaphore, std::uintptr_t site) {
  const auto offset = reinterpret_cast<std::uintptr_t>(semaphore) - reinterpret_cast<std::uintptr_t>(names);
  if (offset >= sizeof names) {
    errno = EINVAL;
    return -1;
  }
  const NameStep step(names[offset / sizeof(Name)], site);
  if (times_open(*semaphore) == 0) fail_with_misuse(semaphore, "closes a semaphore that is not open", site);
  if (--times_open(*semaphore) == 0) plain_write(reinterpret_cast<std::uintptr_t>(semaphore), sizeof *semaphore, site);
  return 0;
}

int NamedSemaphores::unlink(const char* text, std::uintptr_t site) {
  Name* name = name_of(text, site);
  if (name == nullptr) return errno = errno == EINVAL ? ENOENT : errno, -1;
  const NameStep step(*name, site);
  if (is_there(*name) >= 0) return is_there(*name) = -1, 0;
  errno = ENOENT;
  return -1;
}

bool NamedSemaphores::is_closed(const sem_t* semaphore) {
  return reinterpret_cast<std::uintptr_t>(semaphore) - reinterpret_cast<std::uintptr_t>(names) < sizeof names && times_open(*semaphore) == 0;
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI sem_t* sem_open(const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  if ((flags & O_CREAT) != 0) (void)va_arg(rest, mode_t);
  const unsigned count = (flags & O_CREAT) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return is_programs_sync(ORDEAL_SITE) ? NamedSemaphores::open(name, flags, count, ORDEAL_SITE) : SEM_FAILED;
}
ORDEAL_ABI int sem_close(sem_t* semaphore) { return is_programs_sync(ORDEAL_SITE) ? NamedSemaphores::close(semaphore, ORDEAL_SITE) : -1; }
ORDEAL_ABI int sem_unlink(const char* name) { return is_programs_sync(ORDEAL_SITE) ? NamedSemaphores::unlink(name, ORDEAL_SITE) : -1; }
