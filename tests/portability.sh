#!/usr/bin/env bash
# The program on machines that this one is not.
#
#     tests/portability.sh
#
# Checks the whole program for Windows, builds it for 64-bit ARM and runs its bench in
# an emulator, and runs the bench of the WebAssembly build. All three must have the
# signature of this machine's program. Needs the targets of rustup, and Debian's packages
# gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
set -euo pipefail
cd "$(dirname "$0")/.."

windows=x86_64-pc-windows-gnu
arm=aarch64-unknown-linux-gnu
target=${CARGO_TARGET_DIR:-target}

fail() {
    echo "$0: $*" >&2
    exit 1
}

# Says everything that is missing at once.
check_tools() {
    local missing=() packages=()
    for triple in "$windows" "$arm"; do
        [ -d "$(rustc --print sysroot)/lib/rustlib/$triple" ] ||
            { command -v rustup >/dev/null && rustup target add "$triple"; } ||
            missing+=("the Rust target $triple: rustup target add $triple")
    done
    command -v aarch64-linux-gnu-gcc >/dev/null || packages+=(gcc-aarch64-linux-gnu)
    [ -e /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1 ] || packages+=(libc6-dev-arm64-cross)
    command -v qemu-aarch64 >/dev/null || packages+=(qemu-user)
    [ ${#packages[@]} -eq 0 ] || missing+=("Debian packages: apt-get install ${packages[*]}")
    command -v node >/dev/null || missing+=("Node: apt-get install nodejs")
    [ -f wasm/dist/pontifex_bg.wasm ] || missing+=("the WebAssembly build: node wasm/build.mjs")
    [ ${#missing[@]} -eq 0 ] && return
    printf '%s: missing: %s\n' "$0" "${missing[@]}" | sed "2,\$s|^$0: missing|    and|" >&2
    exit 1
}

# Runs a bench and prints the signature: signature NAME COMMAND...
signature() {
    local name=$1 output
    output=$("${@:2}") || fail "$name: the bench has failed"
    sed -n 's/^.*\b\([0-9]\+\) nodes\b.*$/\1/p' <<< "$output" | tail -n 1
}

same() {
    [ "$2" = "$expected" ] || fail "$1: signature ${2:-none}, this machine has $expected"
    echo "$1: $2 nodes"
}

check_tools
cargo build --locked --release
expected=$(signature "this machine" "$target/release/pontifex" bench)
echo "this machine: $expected nodes"

cargo check --locked --target "$windows"
echo "$windows: checked"

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
cargo build --locked --release --target "$arm"
same "$arm" "$(signature "$arm" qemu-aarch64 -L /usr/aarch64-linux-gnu "$target/$arm/release/pontifex" bench)"
same wasm32 "$(signature wasm32 node wasm/bench.mjs)"
