// Builds the engine for browsers and Node into `dist`: `node wasm/build.mjs`.
//
// It needs cargo and npm, and installs the rest: the target of the Rust
// toolchain, wasm-bindgen's program (into `target/tools`, which takes three
// minutes once) and wasm-opt (from npm). Where rustup cannot fetch the target,
// Debian's packages rustc-web, cargo-web and rust-web-src build the standard
// library; they must be as new as `rust-version` in Cargo.toml. NO_RUSTUP=1
// chooses them.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const dist = join(here, "dist");
const TARGET = "wasm32-unknown-unknown";

/** What every browser of the last three years can do, and Node 18. */
const FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals";

const OPTIMIZER_FEATURES = [
  "--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int",
  "--enable-mutable-globals", "--enable-reference-types", "--enable-multivalue",
];

function run(program, args, { cwd = root, env = {}, quiet = false } = {}) {
  const stdio = quiet ? ["ignore", "pipe", "ignore"] : "inherit";
  const isScript = process.platform === "win32" && program === "npm";
  return execFileSync(program, args, { cwd, stdio, encoding: "utf8", shell: isScript, env: { ...process.env, ...env } })?.trim();
}

function succeeds(work) {
  try {
    return work() ?? true;
  } catch {
    return false;
  }
}

/** Rust cannot build for WebAssembly here; exit code 3. */
class NoTarget extends Error {}

/** The toolchain: environment and arguments of cargo. */
function toolchain() {
  const sysroot = run("rustc", ["--print", "sysroot"], { quiet: true });
  const isThere = () => existsSync(join(sysroot, "lib", "rustlib", TARGET));
  const canGet = () => succeeds(() => run("rustup", ["target", "add", TARGET])) && isThere();
  // NO_RUSTUP stands for a machine without a network.
  if (!process.env.NO_RUSTUP && (isThere() || canGet())) return { program: "cargo", env: {}, args: [] };
  return debian(sysroot);
}

/** Debian's toolchain, which builds the standard library from its source. */
function debian(sysroot) {
  const advice = `the Rust toolchain has no target ${TARGET}: 'rustup target add ${TARGET}' installs it`;
  const [rustc, cargo, source] = ["/usr/bin/rustc", "/usr/share/cargo/bin/cargo", "/usr/lib/rustlib/src/rust/library"];
  const missing = [rustc, source].filter((path) => !existsSync(path));
  if (missing.length > 0) throw new NoTarget(`${advice}. Debian's packages rustc-web, cargo-web and rust-web-src would do, too, but ${missing.join(" and ")} is not there`);
  const needed = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^rust-version = "(.*)"$/m)[1];
  const found = run(rustc, ["--version"], { quiet: true }).match(/^rustc (\d+\.\d+)/)[1];
  if (isOlder(found, needed)) throw new NoTarget(`${advice}. Debian's rustc-web is version ${found}, and ${needed} is needed`);
  const host = run("rustc", ["-vV"], { quiet: true }).match(/^host: (.*)$/m)[1];
  const lld = [join(sysroot, "lib", "rustlib", host, "bin", "rust-lld"), "/usr/bin/wasm-ld"].find((path) => existsSync(path));
  if (!lld) throw new NoTarget("there is no linker for WebAssembly: Debian's package lld has one");
  const env = { RUSTC: rustc, RUSTC_BOOTSTRAP: "1", CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: lld };
  return { program: existsSync(cargo) ? cargo : "/usr/bin/cargo", env, args: ["-Zbuild-std=std,panic_abort"] };
}

function isOlder(version, than) {
  const [[major, minor], [thanMajor, thanMinor]] = [version, than].map((text) => text.split(".").map(Number));
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}

/** wasm-bindgen's program, of the version in Cargo.lock. */
function bindgen() {
  const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
  const version = lock.match(/name = "wasm-bindgen"\r?\nversion = "(.*)"/)[1];
  const own = join(root, "target", "tools");
  const installed = join(own, "bin", "wasm-bindgen");
  const fits = (program) => succeeds(() => run(program, ["--version"], { quiet: true })).toString().endsWith(` ${version}`);
  if (fits("wasm-bindgen")) return "wasm-bindgen";
  // A registry that lags behind may lack what its lock file names; others of the same line do.
  const install = (...how) => run("cargo", ["install", "wasm-bindgen-cli", ...how, "--version", version, "--root", own]);
  if (!fits(installed) && !succeeds(() => install("--locked"))) install();
  return installed;
}

function optimizer() {
  const folder = join(here, "node_modules", "binaryen", "bin");
  if (!existsSync(folder)) run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here });
  return join(folder, "wasm-opt");
}

function build() {
  const { program, env, args } = toolchain();
  run(program, [
    "rustc", ...args, "--locked", "--package", "pontifex-wasm", "--lib", "--crate-type", "cdylib",
    "--profile", "wasm", "--target", TARGET,
  ], { env: { ...env, RUSTFLAGS: `-C target-feature=${FEATURES}` } });

  mkdirSync(dist, { recursive: true });
  const built = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), TARGET, "wasm", "pontifex_wasm.wasm");
  run(bindgen(), ["--target", "web", "--out-dir", dist, "--out-name", "pontifex", built]);
  const engine = join(dist, "pontifex_bg.wasm");
  run(process.execPath, [optimizer(), "-O4", ...OPTIMIZER_FEATURES, "--strip-debug", "--strip-producers", engine, "-o", engine]);
  for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, license), join(dist, license));
  copyFileSync(join(root, "crates", "page", "messages.d.ts"), join(dist, "messages.d.ts"));
  const packed = gzipSync(readFileSync(engine), { level: 9 }).length;
  console.log(`${engine}: ${statSync(engine).size} bytes, ${packed} compressed`);
}

try {
  build();
} catch (error) {
  console.error(`wasm/build.mjs: ${error.message}`);
  process.exitCode = error instanceof NoTarget ? 3 : 1;
}
