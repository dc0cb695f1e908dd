#pragma once
#include <archive.h>
#include <archive_entry.h>

// The functions of libarchive that are used, without the prefix archive_. Programs are not linked with it but load it
// when the first archive is read: with all that it needs itself, that takes a good part of the time of their start.
// Tools/dist.sh reads this list.
#define carchive_FUNCTIONS(each)                                                                                     \
  each(entry_filetype) each(entry_hardlink) each(entry_is_encrypted) each(entry_mtime) each(entry_mtime_is_set)      \
  each(entry_pathname) each(entry_perm) each(entry_size) each(entry_size_is_set) each(entry_symlink)                 \
  each(error_string) each(format) each(read_data_block) each(read_free) each(read_new) each(read_next_header)        \
  each(read_open_fd) each(read_support_filter_gzip) each(read_support_format_tar) each(read_support_format_zip)

#define carchive_FIELD(name) __typeof__(archive_##name) *_Nonnull name;
struct carchive {
  carchive_FUNCTIONS(carchive_FIELD)
  // archive_errno; "errno" alone is a macro.
  __typeof__(archive_errno) *_Nonnull error_number;
};

// Null where the library or one of the functions cannot be found. To be called by one thread.
const struct carchive *_Nullable carchive_load(void);
