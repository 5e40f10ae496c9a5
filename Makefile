# All developer verbs. `make demo` and `make test` work on a fresh Debian 12 machine with Rust.

.PHONY: demo test build setup fmt lint models fuzz fuzz-frontend mutants bench tables corpus help

help:
	@echo "make demo           install what is missing, build, and explain a bug in an example"
	@echo "make test           everything that CI runs: format, lints, tests"
	@echo "make corpus         check every expectation of every corpus program, and every patch by other tools"
	@echo "make fuzz           5,000 generated programs: symbolic engine against exploration; the theory alone;"
	@echo "                    500 failing ones: every core of diagnose against all runs;"
	@echo "                    300 failing ones: the closest passing run of compare against all;"
	@echo "                    2,000 recorded: the interpreter computes every recorded value;"
	@echo "                    300 failing ones: every patch of repair against all runs"
	@echo "make mutants        broken engines and runtimes: each is caught by the generated programs"
	@echo "make bench          time and memory beside the peers on the PATH (BENCH=--quick for a short one);"
	@echo "                    what recording costs beside ThreadSanitizer"
	@echo "make tables         docs/results.md: what is found on the corpus, beside published results"
	@echo "make fuzz-frontend  2,000 generated programs: interpreter against clang's binary"
	@echo "make build          the release binary, target/release/unravel"

setup:
	@sh scripts/setup.sh

build: setup
	cargo build --release --locked -p unravel-cli --no-default-features

demo: build
	@echo
	@echo '$$ unravel diagnose corpus/figures/conc_xy.c'
	@./target/release/unravel diagnose corpus/figures/conc_xy.c; status=$$?; \
	  echo; echo "exit code $$status (1: a violation was found)"; test $$status -eq 1
	@echo
	@echo '$$ unravel repair corpus/figures/conc_xy.c'
	@./target/release/unravel repair corpus/figures/conc_xy.c; status=$$?; \
	  echo; echo "exit code $$status (0: a repair was verified)"; test $$status -eq 0

test: setup fmt lint
	cargo test --workspace --locked
	cargo test --locked -p unravel-cli --features mutants,nonsense --test mutants --test runtime_mutants --test nonsense --test corpus

fmt:
	cargo fmt --all --check

lint:
	cargo clippy --workspace --all-targets --locked -- -D warnings

corpus: build
	cargo test --locked --release -p unravel-cli --test corpus --test diagnose --test compare --test localize
	UNRAVEL_CORPUS=all cargo test --locked --release -p unravel-cli --test everyday -- --nocapture
	UNRAVEL_CORPUS=all cargo test --locked --release -p unravel-cli --test repair -- --nocapture
	UNRAVEL_CORPUS=all cargo test --locked --release -p unravel-cli --test recorded --test recording_faults -- --nocapture
	UNRAVEL_CORPUS=all cargo test --locked --release -p unravel-cli --test sequentialize --test replaced -- --nocapture

fuzz: setup
	UNRAVEL_FUZZ_ORDERS=20000 cargo test --locked --release -p unravel-solver --test fuzz -- --nocapture
	UNRAVEL_FUZZ_PROGRAMS=5000 cargo test --locked --release -p unravel-cli --test engine_fuzz -- --nocapture
	UNRAVEL_FUZZ_DIAGNOSES=500 cargo test --locked --release -p unravel-cli --test diagnose -- --nocapture
	UNRAVEL_FUZZ_COMPARISONS=300 cargo test --locked --release -p unravel-cli --test compare_fuzz -- --nocapture
	UNRAVEL_FUZZ_RECORDED=2000 cargo test --locked --release -p unravel-cli --test recorded generated -- --nocapture
	UNRAVEL_FUZZ_REPAIRS=300 cargo test --locked --release -p unravel-cli --test repair_fuzz -- --nocapture

mutants: setup
	UNRAVEL_FUZZ_PROGRAMS=5000 cargo test --locked --release -p unravel-cli --features mutants --test mutants --test runtime_mutants -- --nocapture

bench: build
	cargo run -q --release --locked -p unravel-bench -- $(BENCH)
	cargo run -q --release --locked -p unravel-bench --bin recording

tables: build
	cargo run -q --release --locked -p unravel-bench --bin tables -- -o docs/results.md

fuzz-frontend: setup
	UNRAVEL_FUZZ_PROGRAMS=2000 cargo test --locked --release -p unravel-cli --test frontend_fuzz -- --nocapture

# Lowers the C models of library functions; run after a change of one of them or of the text form.
MODELS := crates/program/src/library
models: build
	for width in 64 32; do \
	  ./target/release/unravel check $(MODELS)/models.c --emit program -- \
	    -m$$width -ffreestanding -fno-builtin > target/models.ir && \
	  cargo run -q --example strip -p unravel-program < target/models.ir > target/models$$width.ir && \
	  mv target/models$$width.ir $(MODELS)/models$$width.ir || exit 1; \
	done
