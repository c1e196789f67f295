// A program that says where its variables and functions are and how they are called: symbols_test compares.
// Each line: kind, expected name, addresses.
#include <execinfo.h>
#include <link.h>
#include <unwind.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace {

struct Node {
  int value;
  std::atomic<Node*> next;
};
struct Base {
  long id;
};
struct Empty {};
struct Slot : Empty, Base {
  union {
    int number;
    double real;
  };
  std::atomic<Node*> head;
  Node own;
};
struct Queue {
  Slot slots[4];
  std::atomic<int> tail;
  std::array<short, 3> small;
  std::mutex lock;
  static int created;
};
int Queue::created = 1;
Queue queue;

void* last_stack[32];
int last_depth;
std::size_t last_size;

__attribute__((noinline)) void print_stack(const char* kind, const char* expected, int line) {
  void* stack[32];
  const int depth = backtrace(stack, 32);
  std::printf("%s|%s:%d|", kind, expected, line);
  for (int i = 1; i < depth; ++i) std::printf("%p ", stack[i]);
  std::printf("\n");
}

}  // namespace

using Alias = Queue;
namespace app {
Alias other;
volatile int grid[2][3] = {};
struct Worker {
  void run();
  template <class T>
  void run_as(T);
};
}  // namespace app
std::atomic<int> x;
std::atomic_flag flag;
static const char* volatile text = "";

#define CODE(function) print_stack("code", function, __LINE__)
#define DATA(expression, name) std::printf("data|%s|%p %zu\n", name, (void*)&(expression), sizeof(expression))
#define MEMBER(expression) DATA(expression, #expression)
#define HEAP(expression, pointer, name) heap(name, (void*)&(expression), sizeof(expression), pointer)

void app::Worker::run() { CODE("app::Worker::run"); }
template <class T>
void app::Worker::run_as(T) {
  CODE("app::Worker::run_as<int>");
}
inline __attribute__((always_inline)) void inlined() { CODE("inlined"); }
inline __attribute__((always_inline)) void inlined_in_lambda() { CODE("inlined_in_lambda"); }

__attribute__((noinline)) void* operator new(std::size_t size) {
  last_depth = backtrace(last_stack, 32);
  last_size = size;
  return std::malloc(size);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

static void heap(const char* name, void* address, std::size_t size, void* block) {
  std::printf("heap|%s|%p %zu %p %zu ", name, address, size, block, last_size);
  for (int i = 1; i < last_depth; ++i) std::printf("%p ", last_stack[i]);
  std::printf("\n");
}

static int print_module(dl_phdr_info* info, std::size_t, void* path) {
  unsigned long end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD) end = info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
  std::printf("module|%s|%p %p\n", static_cast<char*>(path), (void*)info->dlpi_addr, (void*)(info->dlpi_addr + end));
  return 1;
}

static void print_data() {
  static int counter;
  MEMBER(queue.slots[2].head);
  MEMBER(queue.slots[3].id);
  MEMBER(queue.slots[1].number);
  MEMBER(queue.slots[1].real);
  MEMBER(queue.slots[0].own.next);
  MEMBER(queue.slots[0].own.value);
  MEMBER(queue.slots[2]);
  MEMBER(queue.tail);
  MEMBER(queue.small[1]);
  MEMBER(queue.lock);
  MEMBER(queue);
  DATA(*queue.lock.native_handle(), "queue.lock");
  DATA(Queue::created, "Queue::created");
  MEMBER(app::other.slots[1].own.next);
  MEMBER(app::grid[1][2]);
  std::printf("data|queue|%p 4294967295\ndata|queue.slots[1].own|%p 4294967295\n", (void*)&queue, (void*)&queue.slots[1].own);
  MEMBER(x);
  MEMBER(flag);
  MEMBER(text);
  MEMBER(counter);
  ++counter;
}

thread_local Node own_node;

static int print_thread_local(dl_phdr_info* info, std::size_t, void*) {
  std::size_t size = 0;
  unsigned long start = 0;
  for (int i = info->dlpi_phnum; i-- > 0;) {
    if (info->dlpi_phdr[i].p_type == PT_TLS) size = info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD) start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
  }
  std::printf("thread|own_node.next (thread-local of main)|%p %zu %p %zu %p\n", (void*)&own_node.next, sizeof own_node.next,
              info->dlpi_tls_data, size, (void*)start);
  return 1;
}

struct Frames {
  int count = 0;
  unsigned long code[3], pointer[3];
};
/// Prints the frame that calls it: where it stands, its stack pointer and its CFA.
__attribute__((noinline)) void local(const char* name, const void* address, std::size_t size) {
  Frames frames;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        Frames& found = *static_cast<Frames*>(data);
        found.code[found.count] = _Unwind_GetIP(context);
        found.pointer[found.count] = _Unwind_GetCFA(context);
        return ++found.count == 3 ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &frames);
  std::printf("local|%s|%p %zu %p %p %p\n", name, address, size, (void*)frames.code[1], (void*)frames.pointer[1],
              (void*)frames.pointer[2]);
}

__attribute__((noinline)) static void print_locals(int count) {
  Slot slots[2] = {};
  for (int i = 0; i < count; ++i) {
    std::atomic<int> inner[2];
    inner[1] = i;
    local("inner[1] (local of print_locals)", &inner[1], sizeof inner[1]);
  }
  local("slots[1].own.value (local of print_locals)", &slots[1].own.value, sizeof slots[1].own.value);
  [&slots](long number) __attribute__((noinline)) {
    local("number (local of print_locals::{lambda})", &number, sizeof number);
    local("", &slots[0], 1);
  }(count);
}

static void print_heap() {
  Node* node = new Node;
  HEAP(node->next, node, "Node::next");
  auto shared = std::make_shared<Node>();
  HEAP(shared->next, (char*)shared.get() - 16, "Node::next");
  std::vector<Node> many(3);
  HEAP(many[2].next, many.data(), "Node[2].next");
  auto* number =
      new int;
  HEAP(*number, number, "int");
}

int main(int, char** arguments) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  dl_iterate_phdr(print_module, arguments[0]);
  CODE("main");
  app::Worker worker;
  worker.run();
  worker.run_as(1);
  inlined();
  std::invoke([] { CODE("main::{lambda}"); });
  std::invoke([] { inlined_in_lambda(); });
  std::function<void(const char*)> indirect([](const char* name) { print_stack("code", name, __LINE__); });
  indirect("main::{lambda}");
  std::array<int, 1> one{};
  std::invoke(print_stack, "code", "main", __LINE__);
  print_data();
  print_locals(1);
  dl_iterate_phdr(print_thread_local, nullptr);
  print_heap();
  return one[0];
}
