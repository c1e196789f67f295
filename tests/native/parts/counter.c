/* Part of odd_mixed_languages_ok.cpp. */
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int value;

void counter_add(int n) {
  pthread_mutex_lock(&guard);
  value += n;
  pthread_mutex_unlock(&guard);
}
int counter_value(void) { return value; }
