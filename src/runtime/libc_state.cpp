#include "runtime/libc_state.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/host.h"
#include "runtime/loops/trace.h"
#include "runtime/snapshot.h"

namespace ordeal::runtime {
namespace {

char** variables = nullptr;        // the environment: its array, and what that held
char** variables_saved = nullptr;
std::size_t variables_size = 0;    // in bytes, with the null at the end

bool locale_changed = false, directory_changed = false, mask_changed = false;
int directory = -1;
mode_t mask = 0;

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// The program changes something that a waiting loop does not show.
void note_change(bool& what) {
  if (!is_checked()) return;
  what = true;
  note_effect(*NativeProgram::current);
}

bool is_environment_unchanged() { return environ == variables && std::memcmp(variables, variables_saved, variables_size) == 0; }

void restore_environment() {
  // libc keeps track of the array that it made last, and of the strings: both are used again, nothing is lost.
  environ = variables;
  std::memcpy(variables, variables_saved, variables_size);
}

bool has_parsed_options = false;

/// Of those that the program uses, the linker has put copies among its own variables, which the snapshot has.
template <class T>
void restore_variable(T& variable, T first) {
  if (!Snapshot::contains(reinterpret_cast<std::uintptr_t>(&variable))) variable = first;
}

void restore_options() {
  if (!std::exchange(has_parsed_options, false)) return;
  restore_variable(optind, 1);
  restore_variable(opterr, 1);
  restore_variable(optopt, static_cast<int>('?'));
  restore_variable(optarg, static_cast<char*>(nullptr));
}

}  // namespace

void LibcState::save() {
  variables = environ;
  std::size_t count = 1;
  while (variables[count - 1] != nullptr) ++count;
  variables_size = count * sizeof(char*);
  variables_saved = static_cast<char**>(host_allocate(variables_size));
  std::memcpy(variables_saved, variables, variables_size);
  directory = fcntl(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), F_DUPFD_CLOEXEC, 202);
}

void LibcState::restore() {
  if (!is_environment_unchanged()) restore_environment();
  restore_signal_handlers();
  restore_options();
  clearerr_unlocked(stdin);
  if (locale_changed) real<char*(int, const char*)>("setlocale")(LC_ALL, "C");
  if (directory_changed && fchdir(directory) != 0) return;
  if (mask_changed) real<mode_t(mode_t)>("umask")(mask);
  locale_changed = directory_changed = mask_changed = false;
}

bool LibcState::is_unchanged() {
  return is_environment_unchanged() && are_signals_unchanged() && !locale_changed && !directory_changed && !mask_changed && !has_parsed_options;
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI char* setlocale(int category, const char* name) {
  if (name != nullptr) note_change(locale_changed);
  return real<char*(int, const char*)>("setlocale")(category, name);
}
// getopt keeps more than the variables that it shows: 0 lets it begin anew, but the program must have seen 1.
#define ORDEAL_PARSING(NAME)                                                                                                        \
  ORDEAL_ABI int parsing_##NAME(int count, char* const* arguments, const char* letters, const option* words, int* which) __asm__(#NAME); \
  ORDEAL_ABI int parsing_##NAME(int count, char* const* arguments, const char* letters, const option* words, int* which) {          \
    if (is_checked() && !std::exchange(has_parsed_options, true) && optind == 1) optind = 0;                                        \
    return real<int(int, char* const*, const char*, const option*, int*)>(#NAME)(count, arguments, letters, words, which);          \
  }
ORDEAL_PARSING(getopt)
ORDEAL_PARSING(__posix_getopt)
ORDEAL_PARSING(getopt_long)
ORDEAL_PARSING(getopt_long_only)

ORDEAL_ABI int chdir(const char* path) {
  note_change(directory_changed);
  return real<int(const char*)>("chdir")(path);
}
ORDEAL_ABI int fchdir(int file) {
  note_change(directory_changed);
  return real<int(int)>("fchdir")(file);
}
ORDEAL_ABI mode_t umask(mode_t new_mask) {
  const bool is_first = !mask_changed;
  note_change(mask_changed);
  const mode_t old = real<mode_t(mode_t)>("umask")(new_mask);
  if (is_first && mask_changed) mask = old;
  return old;
}
