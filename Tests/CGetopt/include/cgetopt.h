// getopt_long(3) as a function of values; only the tests of Options use it.
// Swift cannot call it: its state is in global variables, and Swift's Glibc module hides getopt_long.
#pragma once

struct cgetopt_option {
  const char *long_name;
  char short_name;  // 0 for none
  int takes;        // 0 no value, 1 a value, 2 perhaps a value
};

enum cgetopt_kind { cgetopt_OPTION, cgetopt_MISSING, cgetopt_WRONG };

struct cgetopt_event {
  enum cgetopt_kind kind;
  int index;          // of the option, in OPTION and MISSING; -1 in WRONG
  const char *value;  // of the option, or null
  int letter;         // of an unknown short option in WRONG, else 0
};

// Scans words[1...]; words are put in another order as getopt_long does it.
// Returns how many events there were (at most events_max are kept) and sets where the operands begin.
int cgetopt_scan(int word_count, char **words, int option_count, const struct cgetopt_option *options,
                 int ends_at_operand, int events_max, struct cgetopt_event *events, int *operands_begin);
