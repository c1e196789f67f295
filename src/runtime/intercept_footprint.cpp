// Calls that leave something behind in the system (footprint.h). They are made as they are.
#include <dlfcn.h>
#include <fcntl.h>

#include <cstdio>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/footprint.h"
#include "runtime/modules.h"
#include "runtime/open_files.h"
#include "runtime/system_call.h"

namespace ordeal::runtime {
namespace {

bool is_programs(std::uintptr_t site) { return is_checked() && !is_libc(site) && !is_ours(site); }

void note_opened(long flags, std::uintptr_t site) {
  if (is_programs(site) && (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) != 0) Footprint::note("opens files for writing");
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

#define ORDEAL_LEAVING(NAME, NOTE)                                                                  \
  ORDEAL_ABI long leaving_##NAME(long a, long b, long c, long d, long e, long f) __asm__(#NAME);    \
  ORDEAL_ABI long leaving_##NAME(long a, long b, long c, long d, long e, long f) {                  \
    static constinit Function real = nullptr;                                                       \
    NOTE;                                                                                           \
    return intercept(#NAME, real, {{a, b, c, d, e, f}}, ORDEAL_SITE, note_nothing, is_negative);    \
  }
#define ORDEAL_CHANGING(NAME) ORDEAL_LEAVING(NAME, if (is_programs(ORDEAL_SITE)) Footprint::note("changes files"))

ORDEAL_LEAVING(open, note_opened(b, ORDEAL_SITE))
ORDEAL_LEAVING(open64, note_opened(b, ORDEAL_SITE))
ORDEAL_LEAVING(openat, note_opened(c, ORDEAL_SITE))
ORDEAL_LEAVING(openat64, note_opened(c, ORDEAL_SITE))
ORDEAL_LEAVING(creat, note_opened(O_CREAT, ORDEAL_SITE))
ORDEAL_CHANGING(unlink)
ORDEAL_CHANGING(unlinkat)
ORDEAL_CHANGING(rename)
ORDEAL_CHANGING(mkdir)
ORDEAL_CHANGING(rmdir)
ORDEAL_CHANGING(remove)
ORDEAL_CHANGING(link)
ORDEAL_CHANGING(symlink)
ORDEAL_CHANGING(truncate)
ORDEAL_CHANGING(shm_open)
ORDEAL_CHANGING(shm_unlink)

#define ORDEAL_OPENING(NAME)                                                                        \
  ORDEAL_ABI FILE* NAME(const char* path, const char* mode) {                                       \
    using Open = FILE* (*)(const char*, const char*);                                               \
    static constinit Open real = nullptr;                                                           \
    if (real == nullptr) real = reinterpret_cast<Open>(dlsym(RTLD_NEXT, #NAME));                    \
    OpenFiles::note_call();                                                                         \
    note_opened(std::strpbrk(mode, "wa+") != nullptr ? O_CREAT : 0, ORDEAL_SITE);                   \
    return real(path, mode);                                                                        \
  }
ORDEAL_OPENING(fopen)
ORDEAL_OPENING(fopen64)
