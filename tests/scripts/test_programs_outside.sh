#!/usr/bin/env bash
# Random testing: threads that wait in the system, real and virtual time, signals, executions in processes of their own.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"

# Two threads, one pipe that holds 64 KB, and a pair of sockets. What is said through them orders what was done before.
cat >channels.cpp <<'END2'
#include <cassert>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>
int before = 0;
void talk(int from, int to, int reader) {
  long got = 0;
  std::thread read_all([&] {
    char buffer[3000];
    for (ssize_t n = 0;;) {
      if (reader == 1) {
        pollfd file{from, POLLIN, 0};
        assert(poll(&file, 1, -1) == 1);
      } else if (reader == 2) {
        fd_set files;
        FD_ZERO(&files);
        FD_SET(from, &files);
        assert(select(from + 1, &files, nullptr, nullptr, nullptr) == 1);
      } else if (reader == 3) {
        const int set = epoll_create1(0);
        epoll_event event{EPOLLIN, {}};
        epoll_ctl(set, EPOLL_CTL_ADD, from, &event);
        assert(epoll_wait(set, &event, 1, -1) == 1);
        close(set);
      }
      if ((n = read(from, buffer, sizeof buffer)) <= 0) break;
      assert(before == 1);
      got += n;
    }
  });
  std::thread write_all([&] {
    before = 1;
    const std::vector<char> text(400000, 'x');
    assert(write(to, text.data(), text.size()) == 400000);
    close(to);
  });
  read_all.join();
  write_all.join();
  assert(got == 400000);
  close(from);
  before = 0;
}
int main() {
  int files[2];
  for (int reader = 0; reader < 4; ++reader) {
    if (pipe(files) != 0) return 1;
    talk(files[0], files[1], reader);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, files) != 0) return 1;
    talk(files[0], files[1], reader);
  }
}
END2
build channels
tests channels executions=10 && sampled
has_not result 'process of its own'

# Nobody ever writes: the tool does not wait for ever, and does not call it a deadlock or a success.
cat >nothing.cpp <<'END2'
#include <thread>
#include <unistd.h>
int main() {
  int files[2];
  if (pipe(files) != 0) return 1;
  std::thread thread([&] {
    char byte;
    if (read(files[0], &byte, 1) < 0) return;
  });
  thread.join();
}
END2
build nothing
tests nothing executions=5:time=3:isolate=0
has_not result 'bug '

# Clocks. The virtual one makes an hour of nothing; the real one shows what passed.
cat >time.cpp <<'END2'
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
using namespace std::chrono;
int main(int, char** arguments) {
  const milliseconds length(std::atoi(arguments[1]));
  std::mutex mutex;
  std::condition_variable condition;
  int turns = 0;
  const auto start = steady_clock::now();
  std::thread sleeper([&] { std::this_thread::sleep_for(length); });
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    assert(!condition.wait_for(lock, length, [] { return false; }));
  });
  std::thread other([&] { for (int i = 0; i < 100; ++i) ++turns; });
  sleeper.join();
  waiter.join();
  other.join();
  assert(steady_clock::now() - start >= length);
}
END2
build time
tests time executions=3 3600000 && sampled
has result 'clocks show a time of their own'
began=$(date +%s%N)
tests time executions=3:real_time=1:isolate=0 200 && sampled
has_not result 'clocks show a time of their own'
took=$((($(date +%s%N) - began) / 1000000))
((took >= 600)) || fail "three times 200 ms took $took ms"

# A signal that one thread waits for.
cat >signals.cpp <<'END2'
#include <cassert>
#include <csignal>
#include <pthread.h>
#include <thread>
int before = 0;
volatile std::sig_atomic_t handled = 0;
int main() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread waiter([&] {
    int signal = 0;
    assert(sigwait(&set, &signal) == 0 && signal == SIGUSR1);
    assert(before == 1);
  });
  before = 1;
  pthread_kill(waiter.native_handle(), SIGUSR1);
  waiter.join();
  std::signal(SIGUSR2, [](int) { handled = 1; });
  std::raise(SIGUSR2);
  assert(handled == 1);
}
END2
build signals
tests signals executions=20 && sampled

# What an execution leaves behind: each finds the system as the first one did only in a process of its own.
cat >files.cpp <<'END2'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
int main(int, char** arguments) {
  std::thread([] {}).join();
  if (std::strcmp(arguments[1], "write") == 0) std::fputs("x", std::fopen("log", "a"));
  if (std::strcmp(arguments[1], "leave") == 0 && open("/dev/null", O_RDONLY) > 20) std::abort();
  if (std::strcmp(arguments[1], "system") == 0 && std::system("printf x >>log") != 0) std::abort();
  if (std::strcmp(arguments[1], "read") == 0) std::fclose(std::fopen("/dev/null", "r"));
  if (std::strcmp(arguments[1], "kill") == 0) std::thread([] { asm volatile("syscall" : : "a"(62), "D"(getpid()), "S"(9) : "rcx", "r11"); }).join();
}
END2
build files
tests files executions=40 write && sampled && has result 'process of its own, because the program opens files for writing'
[[ $(<log) == xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ]] || fail "not 40 executions wrote: $(<log)"
rm log
tests files executions=40 leave && sampled && has result 'because the program leaves files open'
tests files executions=5 system && sampled && has result 'because the program starts other processes'
[[ $(<log) == xxxxx ]] || fail "not 5 executions: $(<log)"
tests files executions=40 read && sampled && has_not result 'process of its own'
tests files executions=3:isolate=1 read && sampled && has result 'executions 3'
# One that is ended from outside is a bug of one execution, not the end of all.
tests files executions=3:isolate=1 kill
has result 'executions 3'
has result 'bug signal'
has result 'ended by signal 9'

# The same through stdio and iostreams, whose functions would wait in the kernel: a line comes in two parts, the second when the reader
# has begun to wait. Each way to read, with a writer that writes by itself or through stdio.
cat >streams.cpp <<'END2'
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ext/stdio_filebuf.h>
#include <iostream>
#include <string>
#include <thread>
#include <unistd.h>
int before = 0;
void read_line(int how, int from) {
  std::FILE* file = how == 5 ? nullptr : fdopen(from, "r");
  char text[16] = "";
  if (how == 0) assert(std::fgets(text, sizeof text, file) == text);
  if (how == 1) {
    char* line = nullptr;
    size_t room = 0;
    assert(getline(&line, &room, file) == 7);
    std::strcpy(text, line);
    std::free(line);
  }
  if (how == 2) assert(std::fread(text, 1, 7, file) == 7);
  if (how == 3)
    for (int i = 0, byte; (byte = i % 2 ? std::getc(file) : std::fgetc(file)) != EOF; ++i) text[i] = static_cast<char>(byte);
  if (how == 4) {
    int number = 0;
    assert(std::fscanf(file, "%3d", &number) == 1 && number == 123);
    assert(std::fgets(text + 3, 8, file) == text + 3);
    std::memcpy(text, "123", 3);
  }
  if (how == 5) {
    __gnu_cxx::stdio_filebuf<char> buffer(from, std::ios::in);
    std::istream stream(&buffer);
    std::string line;
    assert(std::getline(stream, line));
    std::strcpy(text, (line + "\n").c_str());
  }
  assert(before == 1);
  assert(!std::strcmp(text, "123456\n"));
  if (file != nullptr) std::fclose(file);
}
int main() {
  for (int how = 0; how < 6; ++how)
    for (int writer = 0; writer < 2; ++writer) {
      int files[2];
      if (pipe(files) != 0) return 1;
      std::thread reader([&] { read_line(how, files[0]); });
      std::thread other([&] {
        before = 1;
        std::FILE* file = fdopen(files[1], "w");
        for (const char* part : {"1234", "56\n"}) {
          if (writer == 0) assert(write(files[1], part, std::strlen(part)) > 0);
          if (writer == 1) assert(std::fputs(part, file) >= 0 && std::fflush(file) == 0);
          std::this_thread::yield();
        }
        std::fclose(file);
      });
      reader.join();
      other.join();
      before = 0;
    }
}
END2
build streams
tests streams executions=200 && sampled && has result "executions=200"

# sigsuspend: a handler runs in the thread that waits, whoever sent the signal, and what came before is known to it.
cat >suspend.cpp <<'END2'
#include <cassert>
#include <cerrno>
#include <csignal>
#include <pthread.h>
#include <thread>
#include <unistd.h>
volatile std::sig_atomic_t caught = 0;
int data = 0;
void handler(int) { caught = 1; }
int main(int count, char**) {
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, nullptr);
  const pthread_t first = pthread_self();
  std::thread other([=] {
    data = 1;
    if (count == 1) kill(getpid(), SIGUSR1);
    else pthread_kill(first, SIGUSR1);
    if (count == 3) data = 2;
  });
  assert(sigsuspend(&old) == -1 && errno == EINTR && caught == 1);
  assert(data >= 1);
  other.join();
}
END2
build suspend
tests suspend executions=300 && sampled
tests suspend executions=300 one && sampled
tests suspend executions=300 one two && finds data-race
sed 's/kill(getpid(), SIGUSR1)/void()/' suspend.cpp >unsent.cpp
sed -i 's/  assert(sigsuspend/  if (false) assert(sigsuspend/; s/  assert(data >= 1);//' unsent.cpp  # nobody waits: it stays pending
build unsent
tests unsent executions=20 one && sampled

# A signal that is ignored ends no wait.
cat >ignored.cpp <<'END2'
#include <cassert>
#include <csignal>
#include <pthread.h>
#include <thread>
#include <unistd.h>
volatile std::sig_atomic_t caught = 0;
int main() {
  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR2, [](int) { caught = 1; });
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  const pthread_t first = pthread_self();
  std::thread other([=] {
    pthread_kill(first, SIGUSR1);
    pthread_kill(first, SIGUSR2);
  });
  sigsuspend(&old);
  assert(caught == 1);
  other.join();
}
END2
build ignored
tests ignored executions=300 && sampled

# A stream that is locked while others go on. It is a lock, and may be locked twice.
cat >stream.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>
std::atomic<int> turns{0};
int lines = 0;
void print(const char* who) {
  flockfile(stderr);
  std::fprintf(stderr, "%s ", who);
  ++turns;
  flockfile(stderr);
  ++lines;
  funlockfile(stderr);
  std::fprintf(stderr, "says so\n");
  funlockfile(stderr);
}
int main(int count, char**) {
  std::thread a(print, "a"), b(print, "b");
  if (ftrylockfile(stderr) == 0) {
    if (count == 1) ++lines;
    funlockfile(stderr);
  }
  if (count > 1) ++lines;
  a.join();
  b.join();
}
END2
build stream
tests stream executions=300 && sampled
tests stream executions=300 one && finds data-race

# In a report, what threads say through files has words of its own.
cat >piped.cpp <<'END2'
#include <thread>
#include <unistd.h>
int told = 0, untold = 0;
int main() {
  int files[2];
  if (pipe(files) != 0) return 1;
  std::thread other([&] { told = 1; if (write(files[1], "x", 1) != 1) _exit(1); untold = 1; });
  char byte;
  if (read(files[0], &byte, 1) != 1 || told != 1) return 1;
  untold = 2;
  other.join();
}
END2
run "$ordeal" test --executions 20 piped.cpp && exits 1 && has stdout "data race on 'untold'" && has stdout 'when it was told by a file or a signal at' && has stdout 'is told by a file or a signal, after b' && has stdout 'tells others by a file or a signal'

# libc keeps where getopt stands, also in the middle of an argument, and what became of the standard streams: no execution begins where the last one ended.
cat >libc.cpp <<'END2'
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <thread>
#include <unistd.h>
int main(int count, char** arguments) {
  assert(count == 5);
  for (int i = 1; i < count; ++i) assert(arguments[i] == arguments[i - 1] + std::strlen(arguments[i - 1]) + 1);  // as execve lays them out
  const option words[] = {{"number", required_argument, nullptr, 'n'}, {}};
  const bool long_ones = std::strcmp(arguments[4], "long") == 0, looks = std::strcmp(arguments[4], "looks") == 0;
  if (looks) assert(optind == 1);
  assert((long_ones ? getopt_long(count, arguments, "abn:", words, nullptr) : getopt(count, arguments, "abn:")) == 'a');
  if (std::strcmp(arguments[4], "middle") == 0) return 0;  // of -ab
  assert(getopt(count, arguments, "abn:") == 'b');
  assert(getopt(count, arguments, "abn:") == 'n' && std::strcmp(optarg, "5") == 0);
  assert(getopt(count, arguments, "abn:") == -1);
  std::thread([] {}).join();
  if (looks) assert(optind == 4);
  if (std::strcmp(arguments[4], "read") == 0) assert(std::feof(stdin) == 0 && std::getchar() == EOF && std::feof(stdin) != 0);
  if (std::strcmp(arguments[4], "close") == 0) assert(std::puts("said") >= 0 && std::fclose(stdout) == 0);
  if (std::strcmp(arguments[4], "buffer") == 0) assert(std::setvbuf(stdout, static_cast<char*>(std::malloc(500)), _IOFBF, 500) == 0);
  if (std::strcmp(arguments[4], "other") == 0) assert(std::freopen("/dev/null", "w", stdout) == stdout);
}
END2
build libc
for what in short long middle looks read; do
  tests libc executions=20 -ab -n 5 "$what" && sampled && has_not result 'process of its own'
done
ORDEAL_OPTIONS=mode=check:result_fd=7 run ./libc -ab -n 5 short 7>result
has result 'verdict verified'
tests libc executions=5 -ab -n 5 close && sampled && has result 'because the program changes its standard streams'
tests libc executions=5 -ab -n 5 buffer && sampled && has result 'because the program changes its standard streams'
tests libc executions=5 -ab -n 5 other && sampled && has result 'because the program changes its standard files'

# A wait for files with a time limit takes its time, on the virtual clock, too, also if the thread is alone and our own timer interrupts it meanwhile.
cat >timed.cpp <<'END2'
#include <cassert>
#include <chrono>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <thread>
#include <unistd.h>
void wait_in_all_ways(int milliseconds) {
  using Clock = std::chrono::steady_clock;
  const int events = epoll_create1(0);
  for (int way = 0; way < 5; ++way) {
    const Clock::time_point begun = Clock::now();
    epoll_event event{};
    timeval time{0, milliseconds * 1000};
    timespec precise{0, milliseconds * 1000000};
    if (way == 0) assert(poll(nullptr, 0, milliseconds) == 0);
    if (way == 1) assert(ppoll(nullptr, 0, &precise, nullptr) == 0);
    if (way == 2) assert(select(0, nullptr, nullptr, nullptr, &time) == 0);
    if (way == 3) assert(pselect(0, nullptr, nullptr, nullptr, &precise, nullptr) == 0);
    if (way == 4) assert(epoll_wait(events, &event, 1, milliseconds) == 0);
    assert(Clock::now() - begun >= std::chrono::milliseconds(milliseconds));
  }
  close(events);
}
int main() {
  wait_in_all_ways(120);
  std::thread other([] { for (int i = 0; i < 50; ++i) std::this_thread::yield(); });
  wait_in_all_ways(20);
  other.join();
}
END2
build timed
tests timed executions=2:time=60 && sampled && has result 'executions 2'
tests timed executions=1:real_time=1:time=60 && sampled && has result 'executions 1'
