#!/bin/bash
# Makes what is given away, in dist/: a Debian package of lnote-fsck, one of faultfs, and a tarball for other systems.
#
# The same commit gives the same bytes on the same system: all times are those of the commit.
# Usage: Tools/dist.sh
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022

version=$(bin/lnote-fsck --version)
version=${version##* }
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
rm -rf dist
mkdir dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What dpkg and readers are told; the first line is the short one.
describe() {
  case "$1" in
    lnote-fsck) cat <<'D' ;;
check and repair documents of Lulucat Notes
 Looks at folders, packages and archives of notes and says in plain sentences
 what is damaged and what can be saved. Repairs a copy or in place, deletes
 nothing, and takes a repair back.
D
    faultfs) cat <<'D' ;;
file system in memory that fails on purpose
 Shows whether a program keeps its files when the power is cut, a disk is full
 or fsync fails. Works for any program: it runs on a mount that records every
 operation and injects the faults that a plan names.
D
  esac
}

# The path of a new library that is linked with what a program loads only when it needs it, and that uses the same
# functions. Which they are is told by the lists in the doors, and whether the program has a door, by the program.
loaded_later() {
  local linked=$work/later-${1##*/} libraries=() library
  for library in cairo archive; do
    if ! grep -qaF "lib$library.so." "$1"; then continue; fi
    libraries+=("-l$library")
    grep -o 'each([a-z_]*)' "Sources/C${library^}/include/c$library.h" |
      sed "s/each(\(.*\))/void ${library}_\1(); void *use_${library}_\1(void) { return ${library}_\1; }/"
  done >"$linked.c"
  clang -w -shared -fPIC -nostdlib -o "$linked.so" "$linked.c" -Wl,--no-as-needed "${libraries[@]}"
  echo "$linked.so"
}

# Names and least versions of the packages that a program needs, found from the libraries that it is linked with or
# loads.
dependencies() {
  mkdir -p "$work/shlibs/debian"
  printf 'Source: lnote-toolkit\n\nPackage: x\nArchitecture: any\n' >"$work/shlibs/debian/control"
  local later
  later=$(loaded_later "$1")
  (cd "$work/shlibs" && dpkg-shlibdeps --warnings=0 -O "$1" "$later") | sed -n 's/^shlibs:Depends=//p'
}

debian_package() {
  local name=$1 more=$2 tree=$work/$1 documentation
  DESTDIR=$tree Tools/install.sh install bin /usr "$name" >/dev/null
  gzip -9n "$tree/usr/share/man/man1/$name.1"
  documentation=$tree/usr/share/doc/$name
  mkdir -p "$documentation" "$tree/DEBIAN"
  {
    echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    printf '\nFiles: *\nCopyright: 2026 The lnote toolkit authors\nLicense: Expat\n'
    sed -n '5,$p' LICENSE | sed 's/^$/./; s/^/ /'
  } >"$documentation/copyright"
  {
    printf '%s (%s) unstable; urgency=medium\n\n  * Built from commit %s.\n\n' \
      "$name" "$version" "$(git rev-parse --short=12 HEAD)"
    printf ' -- The lnote toolkit authors <authors@lnote-toolkit.invalid>  %s\n' \
      "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
  } | gzip -9n >"$documentation/changelog.gz"
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\n' "$name" "$version" "$architecture"
    printf 'Maintainer: The lnote toolkit authors <authors@lnote-toolkit.invalid>\n'
    printf 'Installed-Size: %s\n' "$(du -k -s --apparent-size "$tree/usr" | cut -f 1)"
    printf 'Depends: %s%s\n' "$(dependencies "$tree/usr/bin/$name")" "$more"
    printf 'Section: utils\nPriority: optional\nDescription: %s\n' "$(describe "$name")"
  } >"$tree/DEBIAN/control"
  (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
  dpkg-deb --root-owner-group -Zxz --build "$tree" "dist/${name}_${version}_$architecture.deb" >/dev/null
}

# bin/ and lib/: everything but the C library comes along, so that any Linux with as new a C library runs it.
tarball() {
  local name=lnote-toolkit-$version-linux-$(uname -m)
  local tree=$work/$name program library package
  # Wherever it is unpacked, it is its own prefix.
  DESTDIR=$work Tools/install.sh install bin "/$name" >/dev/null
  mkdir -p "$tree/lib" "$tree/share/doc"
  for program in "$tree"/bin/* "$tree"/libexec/lnote/*; do ldd "$program" "$(loaded_later "$program")"; done |
    sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u >"$work/libraries"
  while read -r library; do
    case "${library##*/}" in
      libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.* | ld-linux*) continue ;;
    esac
    cp -L "$library" "$tree/lib/"
    # shellcheck disable=SC2016
    patchelf --set-rpath '$ORIGIN' "$tree/lib/${library##*/}"
    # By its name alone: packages may say /lib where the file lies in /usr/lib.
    package=$(dpkg -S "*/$(basename "$(realpath "$library")")" | head -n 1 | cut -d : -f 1)
    mkdir -p "$tree/share/doc/$package"
    cp -L "/usr/share/doc/$package/copyright" "$tree/share/doc/$package/copyright"
  done <"$work/libraries"
  # shellcheck disable=SC2016
  patchelf --set-rpath '$ORIGIN/../lib' "$tree"/bin/*
  # shellcheck disable=SC2016
  patchelf --set-rpath '$ORIGIN/../../lib' "$tree"/libexec/lnote/*
  cp LICENSE "$tree/"
  sed "s/@LIBC@/$(least_libc "$tree")/" Tools/dist-readme.txt >"$tree/README.txt"
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -c "$name" |
    gzip -9n >"dist/$name.tar.gz"
}

# The version of the C library that the newest of its functions in use came with.
least_libc() {
  find "$1" -type f \( -path '*/bin/*' -o -path '*/lib*/*' \) -exec objdump -T {} + 2>/dev/null |
    grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -n 1 | cut -d _ -f 2
}

debian_package lnote-fsck ""
debian_package faultfs ", fuse3"
tarball
(cd dist && sha256sum -- * >SHA256SUMS)
echo "In dist/:"
(cd dist && ls -l --block-size=KB -- * | sed 's/^[^ ]* *[^ ]* *[^ ]* *[^ ]* *\([^ ]*\) .* \([^ ]*\)$/  \1  \2/')
echo "Install a package with: apt install ./dist/lnote-fsck_${version}_$architecture.deb"
