# What setup.sh decides by: values in, text out, nothing is touched. A test holds it (SetupTests.swift).

swift_least_major=6
swift_least_minor=2

# Steps that `swift build` prints for everything, and how many of them pass at once at the beginning; only the time left
# is guessed from them.
release_steps=64 release_steps_quick=22
debug_steps=600 debug_steps_quick=20

# One line a package: its name and why it is needed.
packages_for() {
  case "$1" in build | demo | test | nightly | bench | known-answers | scale-out-test | dist | dist-test) ;; *) return 2 ;; esac
  echo "libc6-dev          headers of the C library"
  echo "libstdc++-12-dev   what the Swift compiler links with"
  echo "binutils           the linker"
  echo "libcurl4           the Swift toolchain itself runs with it"
  echo "libncurses6        the same"
  echo "libsqlite3-0       the same"
  echo "libxml2            the same"
  echo "pkg-config         tells the compiler where libraries are"
  echo "libfuse3-dev       the file system that fails on purpose"
  echo "fuse3              mounts it without root"
  echo "libisal-dev        checksums (CRC-32C)"
  echo "libxxhash-dev      checksums (XXH3)"
  echo "libjansson-dev     reads JSON"
  echo "libjpeg62-turbo-dev  checks images"
  echo "libcairo2-dev      draws pages"
  echo "libarchive-dev     reads ZIP and tar archives of documents"
  case "$1" in
    test | nightly)
      echo "python3            a second reader of the format, to compare with"
      echo "git                works on the failing disk in a test"
      echo "sqlite3            the same"
      echo "rsync              the same"
      echo "make               the same"
      echo "gcc                the same"
      echo "e2fsprogs          makes the ext4 that a test crashes"
      echo "xfsprogs           the same for XFS"
      echo "python3-jsonschema  holds the lines of --json against their schema"
      echo "groff-base         reads the manual page"
      echo "libxml2-utils      holds reports for Jenkins and GitLab against a schema"
      echo "python3-pytest     runs the example for programs under test"
      ;;&
    nightly)
      echo "libpython3.11-testsuite  Python's own tests of files, to run on the failing disk"
      ;;
    known-answers)
      echo "python3            explores one program after the other, and compares"
      echo "sqlite3            is explored"
      echo "git                the same"
      echo "python3-lmdb       the same"
      echo "python3-plyvel     the same, with LevelDB"
      ;;
    scale-out-test)
      echo "python3            runs one plan in several ways, and compares"
      echo "git                says which commit it was"
      echo "parallel           runs the shards of a plan"
      echo "munge              lets the parts of Slurm know each other"
      echo "slurmctld          runs the shards of a plan as an array"
      echo "slurmd             the same"
      echo "slurm-client       puts them in the queue"
      ;;
    dist | dist-test)
      echo "dpkg-dev           finds the packages that the programs need"
      echo "patchelf           lets the programs of the tarball find their libraries"
      echo "git                says which commit it was"
      ;;&
    dist-test)
      echo "debootstrap        makes a bare Debian to try the packages in"
      ;;
    bench)
      echo "hyperfine          measures"
      echo "gcc                compiles libfuse's examples, to compare with"
      echo "python3            runs the measurements and compares them"
      ;;
  esac
}

# "good", "old" or "other", from what `swift --version` printed.
swift_judgement() {
  local major minor
  if [[ ! $1 =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]]; then echo other; return; fi
  major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
  if ((major > swift_least_major || (major == swift_least_major && minor >= swift_least_minor))); then
    echo good
  else
    echo old
  fi
}

# What to do about a missing, old or wrong Swift.
swift_advice() {
  echo "$1"
  echo "Needed is Swift $swift_least_major.$swift_least_minor or later, from https://www.swift.org/install/linux/"
  echo "(Debian's own package \"swift\" is something else.) Then try again."
}

# "about 4 minutes left" from the seconds passed, the last "[done/known]" a build printed, the steps it takes in all, and
# how many of them take no time.
#
# The build finds its steps as it goes, so the number it knows is too small until the end.
time_left() {
  local seconds=$1 progress=$2 steps=$3 quick=$4 seconds_guess=300 left
  if [[ $progress =~ ([0-9]+)/([0-9]+) ]] && ((BASH_REMATCH[1] > quick + 5 && seconds >= 30)); then
    ((BASH_REMATCH[2] > steps)) && steps=${BASH_REMATCH[2]}
    left=$((seconds * (steps - BASH_REMATCH[1]) / (BASH_REMATCH[1] - quick)))
  else
    left=$((seconds_guess - seconds))
  fi
  ((left < 60)) && { echo "about a minute left"; return; }
  left=$(((left + 30) / 60))
  if ((left == 1)); then echo "about a minute left"; else echo "about $left minutes left"; fi
}
