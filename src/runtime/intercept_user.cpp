// The user and the groups of the process. libc sets them in all threads that it knows of, by a signal to each: but ours are none, and it would wait for
// ever. One kernel thread runs them all, for which the system is asked.
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/footprint.h"
#include "runtime/loops/trace.h"

namespace ordeal::runtime {
namespace {

void note_new_user() {
  flush_pending_write();
  note_effect(*NativeProgram::current);
  Footprint::note("changes its user");
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

#define ORDEAL_OF_USER(NAME, NUMBER, A, B, C)                                                       \
  ORDEAL_ABI int user_##NAME(long a, long b, long c) __asm__(#NAME);                                \
  ORDEAL_ABI int user_##NAME(long a, [[maybe_unused]] long b, [[maybe_unused]] long c) {            \
    using Function = int (*)(long, long, long);                                                     \
    if (!is_checked()) return reinterpret_cast<Function>(dlsym(RTLD_NEXT, #NAME))(a, b, c);         \
    note_new_user();                                                                                \
    return static_cast<int>(syscall(NUMBER, A, B, C));                                              \
  }
ORDEAL_OF_USER(setuid, SYS_setuid, a, 0, 0)
ORDEAL_OF_USER(setgid, SYS_setgid, a, 0, 0)
ORDEAL_OF_USER(seteuid, SYS_setresuid, -1, a, -1)
ORDEAL_OF_USER(setegid, SYS_setresgid, -1, a, -1)
ORDEAL_OF_USER(setreuid, SYS_setreuid, a, b, 0)
ORDEAL_OF_USER(setregid, SYS_setregid, a, b, 0)
ORDEAL_OF_USER(setresuid, SYS_setresuid, a, b, c)
ORDEAL_OF_USER(setresgid, SYS_setresgid, a, b, c)
ORDEAL_OF_USER(setgroups, SYS_setgroups, a, b, 0)

ORDEAL_ABI int initgroups(const char* user, gid_t group) {
  if (!is_checked()) return reinterpret_cast<int (*)(const char*, gid_t)>(dlsym(RTLD_NEXT, "initgroups"))(user, group);
  note_new_user();
  int count = 64;
  std::vector<gid_t> groups(static_cast<std::size_t>(count));
  while (getgrouplist(user, group, groups.data(), &count) < 0) groups.resize(static_cast<std::size_t>(count));
  return static_cast<int>(syscall(SYS_setgroups, static_cast<long>(count), groups.data()));
}
