/* An observer for `ordeal check`: how many compare-exchanges failed in an execution, at most and in all. More than three are a bug.
 *
 *   cc -O2 -shared -fPIC -I../../include retries.c -o retries.so
 *   ordeal check --observer ./retries.so ../check/stack_fixed.cpp
 *
 * A compare-exchange that failed is a read and nothing more. Here it is told from a load by what follows: it read another value than
 * the next read-modify-write of its thread at that location. */
#include <ordeal/observer.h>
#include <stdio.h>

static unsigned long executions, failures;
static int most;

static void begin(void) { executions = failures = 0, most = 0; }

static int failed(const struct ordeal_execution* execution, int i) {
  const struct ordeal_event* read = &execution->event[i];
  if (read->kind != ORDEAL_EVENT_READ || read->is_rmw) return 0;
  for (int j = i + 1; j < execution->events; ++j) {
    const struct ordeal_event* next = &execution->event[j];
    if (next->thread != read->thread || next->location != read->location || next->kind != ORDEAL_EVENT_READ) continue;
    return next->is_rmw && next->value != read->value;
  }
  return 0;
}

static enum ordeal_opinion finished(const struct ordeal_execution* execution, char* message, size_t size) {
  int count = 0;
  for (int i = 0; i < execution->events; ++i) count += failed(execution, i);
  ++executions;
  failures += (unsigned long)count;
  if (count > most) most = count;
  if (count <= 3) return ORDEAL_FINE;
  snprintf(message, size, "%d compare-exchanges failed", count);
  return ORDEAL_BUG;
}

static void end(char* note, size_t size) {
  snprintf(note, size, "%lu compare-exchanges failed in %lu executions, at most %d in one", failures, executions, most);
}

const struct ordeal_observer ordeal_observer_plugin = {ORDEAL_OBSERVER_VERSION, "retries", begin, finished, end};
