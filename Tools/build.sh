#!/bin/bash
# Builds quietly: one line a minute, and the compiler's words only where it fails.
# Usage: Tools/build.sh programs   release build, then links in bin/ and libexec/
#        Tools/build.sh tests      debug build of everything, with the tests
set -euo pipefail
cd "$(dirname "$0")/.."
source Tools/setup-rules.sh

case "${1:-}" in
  programs) options=(-c release --static-swift-stdlib) products=.build/release steps=$release_steps quick=$release_steps_quick ;;
  tests) options=(--build-tests) products=.build/debug steps=$debug_steps quick=$debug_steps_quick ;;
  *) echo "usage: Tools/build.sh programs|tests" >&2; exit 2 ;;
esac

is_first=yes
if [ -e "$products" ]; then is_first=; fi
log=$(mktemp)
build=
trap 'rm -f "$log"; if [ -n "$build" ]; then kill "$build" 2>/dev/null || true; fi' EXIT

say() {
  local progress
  progress=$(grep -o '^\[[0-9]*/[0-9]*\]' "$log" | tail -n 1) || true
  echo "compiling${is_first:+, first time only}, $(time_left "$SECONDS" "$progress" "$steps" "$quick")"
}

SECONDS=0
swift build "${options[@]}" >"$log" 2>&1 </dev/null &
build=$!
if [ -n "$is_first" ]; then say; fi
said=0
while kill -0 "$build" 2>/dev/null; do
  sleep 0.2
  if ((SECONDS / 60 > said)); then
    said=$((SECONDS / 60))
    say
  fi
done
status=0
wait "$build" || status=$?
build=
if [ "$status" != 0 ]; then
  cat "$log" >&2
  echo "The build failed; the lines above say where." >&2
  exit 1
fi

if [ "$1" = programs ]; then
  mkdir -p bin libexec
  for program in lnote-fsck lnote-scenario lnote-nightly faultfs; do ln -sfn "../$products/$program" "bin/$program"; done
  for program in lnote-driver lnote-demo lnote-bench; do ln -sfn "../$products/$program" "libexec/$program"; done
fi
