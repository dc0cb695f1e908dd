#!/bin/bash
# Installs what building, testing or measuring needs, after saying what and why; checks the Swift toolchain.
# Usage: Tools/setup.sh build|demo|test|nightly|bench|known-answers|scale-out-test|dist|dist-test
# Exit status: 0 all is there, 2 wrong use, 4 something is missing and could not be installed.
set -euo pipefail
cd "$(dirname "$0")/.."
source Tools/setup-rules.sh

purpose=${1:-build}
rows=$(packages_for "$purpose") || { echo "usage: Tools/setup.sh build|demo|test|nightly|bench|known-answers|scale-out-test|dist|dist-test" >&2; exit 2; }

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
reasons=()
if command -v dpkg-query >/dev/null; then
  while read -r package reason; do
    if ! is_installed "$package"; then
      missing+=("$package")
      reasons+=("$(printf '  %-22s %s' "$package" "$reason")")
    fi
  done <<<"$rows"
else
  echo "This is no Debian, so nothing is installed. Needed, by Debian's names:"
  sed 's/^/  /' <<<"$rows"
fi

install_missing() {
  local command="apt-get install -y --no-install-recommends ${missing[*]}"
  local as_root=""
  if [ "$(id -u)" != 0 ]; then
    as_root="sudo "
    if ! command -v sudo >/dev/null; then
      echo "Installing needs root, and there is no sudo here. As root, run:" >&2
      echo "    $command" >&2
      exit 4
    fi
  fi
  echo "These Debian packages are missing:"
  printf '%s\n' "${reasons[@]}"
  echo "They would be installed with: $as_root$command"
  if [ -t 0 ] && [ -t 1 ] && [ -z "${CI:-}" ]; then
    local answer
    read -r -p "Install them now? [Y/n] " answer
    case "$answer" in
      "" | [Yy]*) ;;
      *) echo "Nothing was installed. Without them this cannot be built." >&2; exit 4 ;;
    esac
  fi
  local log
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  # A fresh machine has no package lists, an old one stale ones: fetch them only where the first try fails.
  if ! ${as_root}$command >"$log" 2>&1 </dev/null; then
    if ! { ${as_root}apt-get update && ${as_root}$command; } >"$log" 2>&1 </dev/null; then
      cat "$log" >&2
      rm -f "$log"
      echo "The packages could not be installed; the lines above say why." >&2
      exit 4
    fi
  fi
  rm -f "$log"
  echo "Installed: ${missing[*]}"
}

if [ ${#missing[@]} -gt 0 ]; then install_missing; fi

if ! command -v swift >/dev/null; then
  swift_advice "There is no Swift toolchain in PATH." >&2
  exit 4
fi
said=$(swift --version 2>&1) || true
case "$(swift_judgement "$said")" in
  good) ;;
  old) swift_advice "Swift is too old here: $(head -n 1 <<<"$said")" >&2; exit 4 ;;
  other) swift_advice "The \"swift\" in PATH does not answer as a Swift compiler: $(head -n 1 <<<"$said")" >&2; exit 4 ;;
esac
