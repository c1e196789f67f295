// operator new and delete, of the program and its libraries; and of the runtime itself, which gets memory of the host (a call from
// inside libordeal.so). A program that defines operators of its own has them, and those that it does not define do as in any C++
// library: they call its own.
#include <bit>
#include <cstdlib>
#include <new>

#include <dlfcn.h>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/allocation.h"
#include "runtime/host.h"
#include "runtime/modules.h"

namespace ordeal::runtime {
namespace {

bool is_replaced = false;

/// The program's C++ library has it too.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool is_programs(std::uintptr_t site) { return is_checked() && !is_ours(site); }

std::uint8_t bits_of(std::align_val_t alignment) {
  return static_cast<std::uint8_t>(std::countr_zero(static_cast<std::size_t>(alignment)));
}

/// nullptr: there is none, or the library's function must do it.
void* make(std::size_t size, AllocatedBy by, std::size_t alignment, std::uintptr_t site) {
  if (!is_programs(site)) return alignment != 0 || (is_replaced && !is_ours(site)) ? nullptr : host_allocate(size);
  if (is_replaced) return nullptr;
  return allocate(
      size, alignment == 0 ? 16 : alignment, false,
      {by, alignment == 0 ? std::uint8_t{0} : bits_of(std::align_val_t{alignment}), static_cast<std::uint32_t>(site)});
}

Release release_of(AllocatedBy fits, std::uintptr_t site) {
  Release release;
  release.by = fits == AllocatedBy::kNew ? "delete" : "delete[]";
  release.fits = fits;
  release.site = site;
  return release;
}

/// False: the library's function must do it.
bool unmake(void* block, const Release& release) {
  if (is_replaced && !is_ours(release.site)) return false;
  give_back(block, release);
  return true;
}

}  // namespace

bool are_operators_replaced() { return is_replaced; }

/// RTLD_DEFAULT would find our own first: libordeal.so is linked with -Bsymbolic.
void find_replaced_operators() {
  void* program = dlopen(nullptr, RTLD_LAZY);
  for (const char* name : {"_Znwm", "_Znam", "_ZdlPv", "_ZdaPv"}) {
    const void* found = dlsym(program, name);
    if (found != nullptr && !is_ours(reinterpret_cast<std::uintptr_t>(found))) is_replaced = true;
  }
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

#define ORDEAL_OPERATOR __attribute__((noinline, visibility("default")))
// What throws is thrown by the program's own library, which also calls its handler.
#define ORDEAL_NEW(OPERATOR, BY, NAME)                                                                              \
  ORDEAL_OPERATOR void* OPERATOR(std::size_t size) {                                                                \
    if (void* made = make(size, BY, 0, ORDEAL_SITE)) return made;                                                   \
    return real<void*(std::size_t)>(NAME)(size);                                                                    \
  }                                                                                                                 \
  ORDEAL_OPERATOR void* OPERATOR(std::size_t size, const std::nothrow_t& nothrow) noexcept {                        \
    if (void* made = make(size, BY, 0, ORDEAL_SITE)) return made;                                                   \
    return real<void*(std::size_t, const std::nothrow_t&)>(NAME "RKSt9nothrow_t")(size, nothrow);                   \
  }                                                                                                                 \
  ORDEAL_OPERATOR void* OPERATOR(std::size_t size, std::align_val_t alignment) {                                    \
    if (void* made = make(size, BY, static_cast<std::size_t>(alignment), ORDEAL_SITE)) return made;                 \
    return real<void*(std::size_t, std::align_val_t)>(NAME "St11align_val_t")(size, alignment);                     \
  }                                                                                                                 \
  ORDEAL_OPERATOR void* OPERATOR(std::size_t size, std::align_val_t alignment,                                      \
                                 const std::nothrow_t& nothrow) noexcept {                                          \
    if (void* made = make(size, BY, static_cast<std::size_t>(alignment), ORDEAL_SITE)) return made;                 \
    return real<void*(std::size_t, std::align_val_t, const std::nothrow_t&)>(NAME "St11align_val_tRKSt9nothrow_t")( \
        size, alignment, nothrow);                                                                                  \
  }
ORDEAL_NEW(operator new, AllocatedBy::kNew, "_Znwm")
ORDEAL_NEW(operator new[], AllocatedBy::kNewArray, "_Znam")

#define ORDEAL_DELETE(OPERATOR, FITS, NAME)                                                                        \
  ORDEAL_OPERATOR void OPERATOR(void* block) noexcept {                                                            \
    if (!unmake(block, release_of(FITS, ORDEAL_SITE))) real<void(void*)>(NAME)(block);                             \
  }                                                                                                                \
  ORDEAL_OPERATOR void OPERATOR(void* block, const std::nothrow_t& nothrow) noexcept {                             \
    if (!unmake(block, release_of(FITS, ORDEAL_SITE)))                                                             \
      real<void(void*, const std::nothrow_t&)>(NAME "RKSt9nothrow_t")(block, nothrow);                             \
  }                                                                                                                \
  ORDEAL_OPERATOR void OPERATOR(void* block, std::size_t size) noexcept {                                          \
    Release release = release_of(FITS, ORDEAL_SITE);                                                               \
    release.is_sized = true;                                                                                       \
    release.size = size;                                                                                           \
    if (!unmake(block, release)) real<void(void*, std::size_t)>(NAME "m")(block, size);                            \
  }                                                                                                                \
  ORDEAL_OPERATOR void OPERATOR(void* block, std::align_val_t alignment) noexcept {                                \
    Release release = release_of(FITS, ORDEAL_SITE);                                                               \
    release.alignment = bits_of(alignment);                                                                        \
    if (!unmake(block, release)) real<void(void*, std::align_val_t)>(NAME "St11align_val_t")(block, alignment);    \
  }                                                                                                                \
  ORDEAL_OPERATOR void OPERATOR(void* block, std::align_val_t alignment, const std::nothrow_t& nothrow) noexcept { \
    Release release = release_of(FITS, ORDEAL_SITE);                                                               \
    release.alignment = bits_of(alignment);                                                                        \
    if (!unmake(block, release))                                                                                   \
      real<void(void*, std::align_val_t, const std::nothrow_t&)>(NAME "St11align_val_tRKSt9nothrow_t")(            \
          block, alignment, nothrow);                                                                              \
  }                                                                                                                \
  ORDEAL_OPERATOR void OPERATOR(void* block, std::size_t size, std::align_val_t alignment) noexcept {              \
    Release release = release_of(FITS, ORDEAL_SITE);                                                               \
    release.is_sized = true;                                                                                       \
    release.size = size;                                                                                           \
    release.alignment = bits_of(alignment);                                                                        \
    if (!unmake(block, release))                                                                                   \
      real<void(void*, std::size_t, std::align_val_t)>(NAME "mSt11align_val_t")(block, size, alignment);           \
  }
ORDEAL_DELETE(operator delete, AllocatedBy::kNew, "_ZdlPv")
ORDEAL_DELETE(operator delete[], AllocatedBy::kNewArray, "_ZdaPv")
