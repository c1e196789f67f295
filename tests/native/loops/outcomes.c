/* An observer for run_loops.py: the set of outcomes of all complete executions, one a line, in the file that $ORDEAL_LOOPS_OUTCOMES names.
 * An outcome is what the tested program has in `outcome`, linked with -rdynamic.
 * In the file that $ORDEAL_LOOPS_BLOCKED names, if it is there: each execution that did not end, for hangs.py, one a line. Threads are separated by |,
 * events by blanks: R or W, u for a read-modify-write, variable, value; then ! if that is a write that may be the last one, or for a read the value of one.
 * A thread that has said in `ended` that it ended has a dot as its last event. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <ordeal/observer.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS 18
#define MOST 65536

struct outcome {
  long slot[SLOTS];
};
static struct outcome seen[MOST];
static int table[2 * MOST]; /* open addressing: an index into `seen`, and 1 */
static int count, too_many;
static unsigned long complete, blocked, not_written;

/* The executions that did not end. */
static int wants_blocked;
static char* text;
static size_t length, room;

__attribute__((format(printf, 1, 2))) static void put(const char* format, ...) {
  char word[128];
  va_list arguments;
  va_start(arguments, format);
  const size_t size = (size_t)vsnprintf(word, sizeof word, format, arguments);
  va_end(arguments);
  if (length + size > room) text = realloc(text, room = 2 * room + 65536);
  memcpy(text + length, word, size);
  length += size;
}

/* Whether the write may be the last one of its location: none happens after it, no read-modify-write follows it. */
static int may_be_last(const struct ordeal_execution* execution, int write) {
  for (int i = 0; i < execution->events; ++i) {
    const struct ordeal_event* const other = &execution->event[i];
    if (other->kind == ORDEAL_EVENT_READ && other->is_rmw && other->reads_from == write) return 0;
    if (other->kind == ORDEAL_EVENT_WRITE && other->location == execution->event[write].location && execution->happens_before(execution, write, i)) return 0;
  }
  return 1;
}

static int may_be_value_in_the_end(const struct ordeal_execution* execution, const struct ordeal_event* read) {
  int writes = 0;
  for (int i = 0; i < execution->events; ++i) {
    const struct ordeal_event* const write = &execution->event[i];
    if (write->kind != ORDEAL_EVENT_WRITE || write->location != read->location) continue;
    ++writes;
    if (write->value == read->value && may_be_last(execution, i)) return 1;
  }
  return writes == 0;
}

static void put_event(const struct ordeal_execution* execution, const struct ordeal_event* event) {
  if (event->kind == ORDEAL_EVENT_FENCE) return put(" F");
  if (event->kind != ORDEAL_EVENT_READ && event->kind != ORDEAL_EVENT_WRITE) return;
  Dl_info variable = {0};
  dladdr((void*)execution->location[event->location].address, &variable);
  const int is_read = event->kind == ORDEAL_EVENT_READ;
  const int is_last = is_read ? may_be_value_in_the_end(execution, event) : may_be_last(execution, (int)(event - execution->event));
  put(" %s%s%s=%ld%s", is_read ? "R" : "W", event->is_rmw ? "u" : "", variable.dli_sname ? variable.dli_sname : "?", (long)event->value,
      is_last ? "!" : "");
}

static void put_blocked(const struct ordeal_execution* execution) {
  static const char* ended; /* one for each thread but main */
  if (!ended) ended = dlsym(RTLD_DEFAULT, "ended");
  for (int thread = 0; thread < execution->threads; ++thread) {
    put("%s", thread ? "|" : "");
    for (int i = 0; i < execution->events; ++i)
      if (execution->event[i].thread == thread) put_event(execution, &execution->event[i]);
    if (thread > 0 && ended[thread - 1]) put(" .");
  }
  put("\n");
}

static void write_blocked(void) {
  const char* const name = getenv("ORDEAL_LOOPS_BLOCKED");
  const int file = name ? open(name, O_WRONLY | O_TRUNC) : -1;
  if (file < 0) return;
  for (size_t done = 0; done < length;) {
    const ssize_t more = write(file, text + done, length - done);
    if (more <= 0) break;
    done += (size_t)more;
  }
  close(file);
}

static void begin(void) {
  const char* const name = getenv("ORDEAL_LOOPS_BLOCKED");
  wants_blocked = name && !access(name, F_OK);
  length = 0;
  memset(table, 0, sizeof table);
  count = too_many = 0;
  complete = blocked = not_written = 0;
}

static unsigned hash(const struct outcome* o) {
  unsigned long h = 14695981039346656037ul;
  for (int i = 0; i < SLOTS; ++i) h = (h ^ (unsigned long)o->slot[i]) * 1099511628211ul, h ^= h >> 29;
  return h % (2 * MOST);
}

static enum ordeal_opinion finished(const struct ordeal_execution* execution, char* message, size_t size) {
  static const struct outcome* outcome;
  (void)message, (void)size;
  if (!execution->is_complete) {
    ++blocked;
    if (wants_blocked) put_blocked(execution);
    return ORDEAL_FINE;
  }
  ++complete;
  if (!outcome) outcome = dlsym(RTLD_DEFAULT, "outcome");
  if (!outcome->slot[SLOTS - 1]) { /* memory is as at the start again, as behind the first execution of `ordeal test` */
    ++not_written;
    return ORDEAL_FINE;
  }
  unsigned at = hash(outcome);
  for (; table[at]; at = (at + 1) % (2 * MOST))
    if (!memcmp(&seen[table[at] - 1], outcome, sizeof *outcome)) return ORDEAL_FINE;
  if (count == MOST) {
    too_many = 1;
    return ORDEAL_ENOUGH;
  }
  seen[count] = *outcome;
  table[at] = ++count;
  return ORDEAL_FINE;
}

static void end(char* note, size_t room_for_note) {
  const char* const name = getenv("ORDEAL_LOOPS_OUTCOMES");
  (void)room_for_note;
  *note = 0;
  write_blocked();
  if (!name) return;
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  char line[SLOTS * 21 + 64];
  for (int i = 0; i < count; ++i) {
    int size = 0;
    for (int slot = 0; slot < SLOTS; ++slot)
      size += snprintf(line + size, sizeof line - size, "%ld ", seen[i].slot[slot]);
    line[size - 1] = '\n';
    if (write(file, line, size) != size) return;
  }
  const int size = snprintf(line, sizeof line, "%s %lu %lu %lu\n", too_many ? "too-many" : "end", complete, blocked, not_written);
  if (write(file, line, size) != size) return;
  close(file);
}

const struct ordeal_observer ordeal_observer_plugin = {ORDEAL_OBSERVER_VERSION, "outcomes", begin, finished, end};
