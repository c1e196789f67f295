// EXPECT: cannot-check fork
// fork is not supported and must say so.
#include <sys/wait.h>
#include <unistd.h>

int main() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
}
