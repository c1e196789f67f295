// EXPECT: verified 1
// The kernel writes into global variables that nobody has written before.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <thread>

char filler[3][20000];
int ends[2];
char more[20000];
struct stat status;
char folder[4096];
struct pollfd waiting;
char large[40000];

int main() {
  assert(pipe(ends) == 0);
  std::thread writer([] { assert(write(ends[1], "hello", 5) == 5); });
  writer.join();
  waiting.fd = ends[0];
  waiting.events = POLLIN;
  assert(poll(&waiting, 1, 1000) == 1 && waiting.revents == POLLIN);
  assert(read(ends[0], filler[1], sizeof filler[1]) == 5);
  assert(std::memcmp(filler[1], "hello", 6) == 0);
  assert(stat("/", &status) == 0 && S_ISDIR(status.st_mode));
  assert(getcwd(folder, sizeof folder) == folder && folder[0] == '/');
  FILE* zero = std::fopen("/dev/zero", "r");
  assert(zero != nullptr && std::fread(large, 1, sizeof large, zero) == sizeof large);
  std::fclose(zero);
  close(ends[0]);
  close(ends[1]);
}
