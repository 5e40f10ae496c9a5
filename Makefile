# All developer verbs. `make demo` and `make test` work on a fresh Debian 12 machine with Rust.

.PHONY: demo test build setup fmt lint fuzz-frontend corpus help

help:
	@echo "make demo           install what is missing, build, and find a bug in an example"
	@echo "make test           everything that CI runs: format, lints, tests (under 15 minutes)"
	@echo "make corpus         check every expectation of every corpus program"
	@echo "make fuzz-frontend  2,000 generated programs: interpreter against clang's binary"
	@echo "make build          the release binary, target/release/unravel"

setup:
	@sh scripts/setup.sh

build: setup
	cargo build --release --locked -p unravel-cli

demo: build
	@echo
	@echo '$$ unravel check corpus/figures/conc_xy.c'
	@./target/release/unravel check corpus/figures/conc_xy.c; status=$$?; \
	  echo; echo "exit code $$status (1: a violation was found)"; test $$status -eq 1

test: setup fmt lint
	cargo test --workspace --locked

fmt:
	cargo fmt --all --check

lint:
	cargo clippy --workspace --all-targets --locked -- -D warnings

corpus: build
	cargo test --locked --release -p unravel-cli --test corpus

fuzz-frontend: setup
	UNRAVEL_FUZZ_PROGRAMS=2000 cargo test --locked --release -p unravel-cli --test frontend_fuzz -- --nocapture
