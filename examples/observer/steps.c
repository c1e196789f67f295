/* An observer for `ordeal check`: how many atomic operations a thread makes, in the worst execution. More than 100 are a bug: somebody
 * tries again and again.
 *
 *   cc -O2 -shared -fPIC -I../../include steps.c -o steps.so
 *   ordeal check --observer ./steps.so ../check/stack_fixed.cpp */
#include <ordeal/observer.h>
#include <stdio.h>

#define MOST_THREADS 64
#define MOST_STEPS 100

static int worst, its_thread;

static void begin(void) { worst = its_thread = 0; }

/* The read and the write of a read-modify-write are one step. */
static int is_step(const struct ordeal_event* event) {
  return event->kind == ORDEAL_EVENT_READ || (event->kind == ORDEAL_EVENT_WRITE && !event->is_rmw);
}

static enum ordeal_opinion finished(const struct ordeal_execution* execution, char* message, size_t size) {
  int steps[MOST_THREADS] = {0};
  for (int i = 0; i < execution->events; ++i) {
    const int thread = execution->event[i].thread;
    if (thread >= MOST_THREADS || !is_step(&execution->event[i]) || ++steps[thread] <= worst) continue;
    worst = steps[thread];
    its_thread = thread;
  }
  if (worst <= MOST_STEPS) return ORDEAL_FINE;
  snprintf(message, size, "a thread makes more than %d steps", MOST_STEPS);
  return ORDEAL_BUG;
}

static void end(char* note, size_t size) { snprintf(note, size, "at most %d steps, by thread %d", worst, its_thread); }

const struct ordeal_observer ordeal_observer_plugin = {ORDEAL_OBSERVER_VERSION, "steps", begin, finished, end};
