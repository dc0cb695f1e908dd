# Each command does all its set-up itself: Debian 12 and a Swift toolchain (swift.org) are enough.

.PHONY: help demo test build install uninstall dist dist-test bench bench-faultfs nightly fuzz known-answers scale-out-test test-tsan clean

PREFIX ?= /usr/local

help:
	@echo "make demo    a notes app on a failing disk: four scenarios, check, repair"
	@echo "make test    style, build, and every test"
	@echo "make build   the programs, in bin/"
	@echo "make install PREFIX=/usr/local  programs, manual pages and completions, behind make build; make uninstall"
	@echo "make dist    Debian packages and a tarball for other systems, in dist/; make dist-test tries them in bare systems"
	@echo "make bench   how long saves, checks, judgements of crash states and drawn steps take, as ratios"
	@echo "make bench-faultfs  the mount of faultfs beside tmpfs, libfuse's examples and peers, as ratios"
	@echo "make nightly BUDGET=30  a million differential operations, 8,000 crashes, scenarios made up and a soak for so many minutes each"
	@echo "make fuzz SECONDS=60  everything that reads files, fed by libFuzzer for so long each"
	@echo "make known-answers  explores sqlite3, LMDB, git and LevelDB after crashes, and compares with what is known"
	@echo "make scale-out-test CASES=4000  one plan as shards, with GNU parallel and on a private Slurm: the same report"
	@echo "make test-tsan  the suites of the failing disk under the thread sanitizer"
	@echo "make clean   everything that was built goes"

demo:
	@Tools/setup.sh demo
	@Tools/build.sh programs
	@rm -rf demo-kept
	@libexec/lnote-demo

test:
	@Tools/setup.sh test
	@Tools/test.sh

build:
	@Tools/setup.sh build
	@Tools/build.sh programs

# Not built here, since this often runs as root.
install:
	@Tools/install.sh install bin '$(PREFIX)'

uninstall:
	@Tools/install.sh remove bin '$(PREFIX)'

dist:
	@Tools/setup.sh dist
	@Tools/build.sh programs
	@Tools/dist.sh

dist-test: dist
	@Tools/setup.sh dist-test
	@Tools/dist-test.sh

bench:
	@Tools/setup.sh bench
	@Tools/build.sh programs
	@Tools/bench.py
	@Tools/bench_peers.py
	@Tools/bench_crashes.py
	@Tools/bench_engine.py

bench-faultfs:
	@Tools/setup.sh bench
	@Tools/build.sh programs
	@Tools/bench_faultfs.py

nightly:
	@Tools/setup.sh nightly
	@Tools/build.sh tests
	@Tools/build.sh programs
	@Tools/nightly.sh $(BUDGET)

fuzz:
	@Tools/setup.sh test
	@Tools/fuzz.sh $(or $(SECONDS),60)

known-answers:
	@Tools/setup.sh known-answers
	@Tools/build.sh programs
	@Tools/known_answers.py

scale-out-test:
	@Tools/setup.sh scale-out-test
	@Tools/build.sh programs
	@Tools/scale_out_test.py --cases $(or $(CASES),4000)

test-tsan:
	@Tools/setup.sh test
	@Tools/test-tsan.sh

clean:
	rm -rf .build bin libexec dist demo-kept
