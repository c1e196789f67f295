// A program that is run many times with other arguments is started once: it serves requests, each in a process forked from it. So the loader's work,
// and looking through the program's code, are done once. Asked for with mode=serve; who asks is tools/served_program.
#pragma once

#include <string>
#include <vector>

namespace ordeal::agent {

/// One message: words, with a null character behind each. The first is for ORDEAL_OPTIONS, the others are the program's arguments.
struct Request {
  std::string options;
  std::vector<std::string> arguments;
};

/// Returns once in each new process, with what it is to do. The process that serves answers with the status that each ended with (waitpid's),
/// and ends itself when nobody asks any more.
Request serve(int socket);

}  // namespace ordeal::agent
