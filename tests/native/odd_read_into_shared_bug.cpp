// EXPECT: bug data-race buffer
// What read fills is written, as far as races go.
#include <fcntl.h>
#include <unistd.h>

#include <thread>

char buffer[16];

int main() {
  std::thread other([] { buffer[3] = 'x'; });  // BUG
  const int file = open("/dev/zero", O_RDONLY);
  if (read(file, buffer, sizeof buffer) < 0) return 1;  // BUG
  close(file);
  other.join();
}
