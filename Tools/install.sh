#!/bin/bash
# Installs the programs with their manual pages and completions below a prefix, or removes exactly those files.
# Usage: Tools/install.sh install|remove FOLDER_OF_PROGRAMS PREFIX [PROGRAM]...
# DESTDIR, where it is set, is put in front of every path. Without a PROGRAM: all that are for users.
# Exit status: 0 done, 2 wrong use, 4 the programs are not built.
set -euo pipefail

if [ $# -lt 3 ] || { [ "$1" != install ] && [ "$1" != remove ]; }; then
  sed -n '2,4s/^# //p' "$0" >&2
  exit 2
fi
deed=$1 source=$2 prefix=$3
shift 3
programs=("$@")
if [ ${#programs[@]} = 0 ]; then programs=(lnote-fsck faultfs lnote-scenario lnote-nightly); fi
if [[ $prefix != /* ]]; then
  echo "PREFIX must begin with a slash: $prefix" >&2
  exit 2
fi
root=${DESTDIR:-}$prefix

# What a package of a distribution owns lies elsewhere than what an administrator adds.
zsh_folder=share/zsh/site-functions
if [ "$prefix" = /usr ]; then zsh_folder=share/zsh/vendor-completions; fi

# put MODE FILE: standard input becomes this file below the prefix; or the file goes.
put() {
  local target=$root/$2
  if [ "$deed" = remove ]; then
    rm -f "$target"
    return
  fi
  mkdir -p "$(dirname "$target")"
  # A program that runs is replaced, and not written over.
  cat >"$target.new"
  chmod "$1" "$target.new"
  mv -f "$target.new" "$target"
}

put_program() {
  if [ "$deed" = remove ]; then put - "$1" </dev/null; return; fi
  local whole=$source/${1##*/} stripped
  # In a build tree, programs that others start lie in a folder of their own.
  if [ ! -e "$whole" ]; then whole=$source/../libexec/${1##*/}; fi
  stripped=$(mktemp)
  strip --strip-unneeded -o "$stripped" "$whole"
  put 755 "$1" <"$stripped"
  rm -f "$stripped"
}

# print PROGRAM OPTION: what the program prints of itself; nothing where files only go.
print() { if [ "$deed" = install ]; then "$source/$1" "$2"; fi; }

for program in "${programs[@]}"; do
  if [ "$deed" = install ] && [ ! -x "$source/$program" ]; then
    echo "There is no $source/$program. Build first: make build" >&2
    exit 4
  fi
done
for program in "${programs[@]}"; do
  put_program "bin/$program"
  if [ "$program" = lnote-scenario ]; then put_program libexec/lnote/lnote-driver; fi
  print "$program" --print-man | put 644 "share/man/man1/$program.1"
  print "$program" --print-completion=bash | put 644 "share/bash-completion/completions/$program"
  print "$program" --print-completion=zsh | put 644 "$zsh_folder/_$program"
  print "$program" --print-completion=fish | put 644 "share/fish/vendor_completions.d/$program.fish"
done
if [ "$deed" = remove ]; then
  rmdir "$root/libexec/lnote" 2>/dev/null || true
  echo "Removed from $root: ${programs[*]}"
else
  echo "Installed in $root: ${programs[*]}"
fi
