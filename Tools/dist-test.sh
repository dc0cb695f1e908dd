#!/bin/bash
# Installs the Debian packages of dist/ in a bare Debian, unpacks the tarball in others, and runs the first screens there.
#
# Needs root, debootstrap and a mirror; a bare Debian is fetched for each release.
# Usage: Tools/dist-test.sh [RELEASE]...    the tarball's releases; trixie
# Exit status: 0 all ran, 1 something did not, 4 this machine cannot do it.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" != 0 ]; then
  echo "A bare Debian is made and entered by root only." >&2
  exit 4
fi
releases=("${@:-trixie}")
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
failed=

# inside ROOT COMMAND...: with /proc and /dev/fuse, in a mount namespace that ends with the command.
inside() {
  local root=$1
  shift
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$0/proc" && touch "$0/dev/fuse" && mount --bind /dev/fuse "$0/dev/fuse" && exec chroot "$0" "$@"
  ' "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

bare() {
  echo "a bare $1, from $mirror"
  debootstrap --variant=minbase "$1" "$work/$1" "$mirror" >"$work/$1.log" 2>&1 || {
    tail -n 5 "$work/$1.log" >&2
    exit 4
  }
}

# expect WHAT STATUS TEXT COMMAND...: the command ends so, and prints a line with this text.
expect() {
  local what=$1 wanted=$2 text=$3 status=0 said
  shift 3
  said=$("$@" 2>&1) || status=$?
  if [ "$status" = "$wanted" ] && grep -qF -- "$text" <<<"$said"; then
    echo "  good  $what"
  else
    failed=yes
    echo "  BAD   $what: status $status, not $wanted, or no '$text' in:"
    sed 's/^/        /' <<<"$said"
  fi
}

# screens ROOT FOLDER: what the programs in this folder say of a damaged document, and of a program that syncs nothing.
screens() {
  local root=$1 programs=$2
  mkdir -p "$root/notes"
  cp -R "$work/kept/crashed/." "$root/notes/"
  cp Scenarios/photo-power-cut.scn "$root/"
  expect "the check of a damaged document" 4 "is cut off" inside "$root" "$programs/lnote-fsck" /notes
  expect "its repair to a copy" 5 "kept exactly" inside "$root" "$programs/lnote-fsck" -y --to /repaired /notes
  expect "its pages as a PDF" 4 "/drawn" inside "$root" "$programs/lnote-fsck" --render /drawn /notes
  expect "lint of a program that syncs nothing" 1 "left 2 things to chance" \
    inside "$root" "$programs/faultfs" lint -- sh -c 'echo text > note.tmp && mv note.tmp note.txt'
}

bin/lnote-scenario run --fast --keep "$work/kept" Scenarios/torn-page.scn >"$work/scenario.log"

bare bookworm
root=$work/bookworm
cp dist/*.deb "$root/"
# shellcheck disable=SC2016
expect "apt installs both packages" 0 "Setting up faultfs" \
  inside "$root" sh -c 'apt-get update -q && apt-get install -y --no-install-recommends ./*.deb'
screens "$root" /usr/bin
expect "the manual page is there" 0 "lnote-fsck.1.gz" inside "$root" dpkg -L lnote-fsck
expect "every installed file is as it was packed" 0 "no output is good" \
  inside "$root" sh -c 'dpkg --verify lnote-fsck faultfs | grep . || echo no output is good'
expect "they go again" 0 "Removing faultfs" inside "$root" dpkg --purge lnote-fsck faultfs
expect "and leave nothing" 1 "" inside "$root" sh -c 'ls /usr/bin/faultfs /usr/share/doc/lnote-fsck 2>/dev/null | grep .'

for release in "${releases[@]}"; do
  if [ "$release" = bookworm ]; then continue; fi
  bare "$release"
  root=$work/$release
  tar -xzf dist/lnote-toolkit-*.tar.gz -C "$root" --strip-components 1 --one-top-level=toolkit
  expect "apt gets fusermount3" 0 "fuse3" inside "$root" sh -c 'apt-get update -q && apt-get install -y fuse3'
  screens "$root" /toolkit/bin
  expect "a scenario with a store of its own process" 0 "passed" \
    inside "$root" /toolkit/bin/lnote-scenario run /photo-power-cut.scn
done

if [ -n "$failed" ]; then
  echo "Not all of it runs elsewhere; the lines marked BAD say what does not."
  exit 1
fi
echo "The packages and the tarball run in bare systems."
