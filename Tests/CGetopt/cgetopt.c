#define _GNU_SOURCE
#include "cgetopt.h"
#include <getopt.h>
#include <string.h>

enum { options_max = 32, first_value = 1000 };

static int index_of_letter(int option_count, const struct cgetopt_option *options, int letter) {
  for (int i = 0; i < option_count; i++)
    if (options[i].short_name != 0 && options[i].short_name == letter) return i;
  return -1;
}

int cgetopt_scan(int word_count, char **words, int option_count, const struct cgetopt_option *options,
                 int ends_at_operand, int events_max, struct cgetopt_event *events, int *operands_begin) {
  struct option longs[options_max + 1];
  char shorts[3 * options_max + 3] = "";
  if (option_count > options_max) return -1;
  memset(longs, 0, sizeof longs);
  strcat(shorts, ends_at_operand ? "+:" : ":");
  for (int i = 0; i < option_count; i++) {
    longs[i] = (struct option){options[i].long_name, options[i].takes, NULL, first_value + i};
    if (options[i].short_name != 0) {
      strncat(shorts, &options[i].short_name, 1);
      strcat(shorts, options[i].takes == 0 ? "" : options[i].takes == 1 ? ":" : "::");
    }
  }

  int count = 0, found;
  optind = 0;  // glibc: start anew
  opterr = 0;
  while ((found = getopt_long(word_count, words, shorts, longs, NULL)) != -1) {
    struct cgetopt_event event = {cgetopt_OPTION, -1, optarg, 0};
    if (found == ':' || found == '?') {
      event.kind = found == ':' ? cgetopt_MISSING : cgetopt_WRONG;
      event.value = NULL;
      if (found == '?' && optopt < first_value) event.letter = optopt;
      if (found == ':')
        event.index = optopt >= first_value ? optopt - first_value : index_of_letter(option_count, options, optopt);
    } else {
      event.index = found >= first_value ? found - first_value : index_of_letter(option_count, options, found);
    }
    if (count < events_max) events[count] = event;
    count++;
  }
  *operands_begin = optind;
  return count;
}
