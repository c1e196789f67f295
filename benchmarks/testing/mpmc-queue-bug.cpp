// A value is published by a relaxed operation, and a read does not begin with release: readers and writers of a slot need not see what
// the one before did.
#include "../programs/mpmc_threads.h"

int main() { mpmc::run<MpmcQueue<4, std::memory_order_acquire, std::memory_order_relaxed>>({.both = 2}, true); }
