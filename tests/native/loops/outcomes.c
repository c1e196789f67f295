/* An observer for run_loops.py: the set of outcomes of all complete executions, one a line, in the file that $ORDEAL_LOOPS_OUTCOMES names.
 * An outcome is what the tested program has in `outcome`, linked with -rdynamic. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <ordeal/observer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS 16
#define MOST 65536

struct outcome {
  long slot[SLOTS];
};
static struct outcome seen[MOST];
static int table[2 * MOST]; /* open addressing: an index into `seen`, and 1 */
static int count, too_many;
static unsigned long complete, blocked, not_written;

static void begin(void) {
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

static void end(char* note, size_t size) {
  const char* const name = getenv("ORDEAL_LOOPS_OUTCOMES");
  (void)size;
  *note = 0;
  if (!name) return;
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  char line[SLOTS * 21 + 64];
  for (int i = 0; i < count; ++i) {
    int length = 0;
    for (int slot = 0; slot < SLOTS; ++slot)
      length += snprintf(line + length, sizeof line - length, "%ld ", seen[i].slot[slot]);
    line[length - 1] = '\n';
    if (write(file, line, length) != length) return;
  }
  const int length =
      snprintf(line, sizeof line, "%s %lu %lu %lu\n", too_many ? "too-many" : "end", complete, blocked, not_written);
  if (write(file, line, length) != length) return;
  close(file);
}

const struct ordeal_observer ordeal_observer_plugin = {ORDEAL_OBSERVER_VERSION, "outcomes", begin, finished, end};
