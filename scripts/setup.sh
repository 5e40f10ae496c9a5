#!/bin/sh
# Installs what the build and the tests need beyond Rust. Does nothing where all is there.
set -eu

packages="clang-19 libclang-rt-19-dev llvm-19-dev libpolly-19-dev libc6-dev-i386 zlib1g-dev libzstd-dev g++"

missing() {
    command -v clang-19 >/dev/null 2>&1 || return 0
    command -v g++ >/dev/null 2>&1 || return 0
    test -x /usr/lib/llvm-19/bin/llvm-config || return 0
    # ThreadSanitizer: the tutorial shows that it has nothing to say.
    ls /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.tsan-*.a >/dev/null 2>&1 || return 0
    test -e /usr/lib/llvm-19/lib/libPolly.a || test -e /usr/lib/llvm-19/lib/LLVMPolly.so || return 0
    test -e /usr/include/x86_64-linux-gnu/gnu/stubs-32.h || test -e /usr/include/gnu/stubs-32.h || return 0
    return 1
}

if ! command -v cargo >/dev/null 2>&1; then
    echo "error: cargo was not found; install Rust 1.88 or newer first (see the Rust project's site)" >&2
    exit 1
fi

missing || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "error: clang 19 and the LLVM 19 development files are needed and there is no apt-get here" >&2
    echo "help: install your system's packages for: $packages" >&2
    exit 1
fi

sudo=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
        echo "error: these packages are needed, and neither root nor sudo is at hand: $packages" >&2
        exit 1
    }
    sudo="sudo"
fi

echo "installing: $packages"
$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null
