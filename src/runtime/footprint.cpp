#include "runtime/footprint.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/layout.h"

namespace ordeal::runtime {
namespace {

struct File {
  dev_t device = 0;
  ino_t number = 0;
};
File standard_files[3];

bool find(int file, File& found) {
  struct stat status {};
  if (fstat(file, &status) != 0) return false;
  found = {status.st_dev, status.st_ino};
  return true;
}

/// Of stdio, which lives in libc: it has the file that it had, and no buffer that will be the program's again.
bool is_unchanged(const std::FILE* stream, int file) {
  const auto buffer = reinterpret_cast<std::uintptr_t>(stream->_IO_buf_base);
  return stream->_fileno == file && !is_heap(buffer) && !is_stack(buffer);
}

}  // namespace

void Footprint::begin() {
  for (int file = 0; file < 3; ++file) find(file, standard_files[file]);
}

void Footprint::look_at_standard_files() {
  if (!is_unchanged(stdin, 0) || !is_unchanged(stdout, 1) || !is_unchanged(stderr, 2)) note("changes its standard streams");
  if (!is_own_process) return;
  for (int file = 0; file < 3; ++file) {
    File now;
    if (!find(file, now) || now.device != standard_files[file].device || now.number != standard_files[file].number) note("changes its standard files");
  }
}

}  // namespace ordeal::runtime
