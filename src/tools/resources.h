// Where Ordeal's own files are: found from the running command, in a build tree and in an installed one alike.
//
//   bin/ordeal, bin/ordeal-cc, bin/ordeal-c++    lib/ordeal/libordeal.so, fast_path.o    include/ordeal/…    libexec/ordeal/as    share/ordeal/page.html
#pragma once

#include <string>

#include "tools/compiler_wrapper.h"

namespace ordeal::tools {

/// The folder that has bin, lib and include.
std::string resource_directory();

/// The files that compilers need. The library may be missing; who links asks require_library.
Resources resources();

/// Throws std::runtime_error with what to do if the library is not there.
void require_library(const Resources& resources);

}  // namespace ordeal::tools
