import { cause, within, wrapper } from "./signature.ts";

export const rust = within("rust", [
  cause(
    "rustc-type",
    "type_error",
    /^error\[E0(?:277|308|369|599|061|107|282|283|605|606|614|618)\]: /,
    "error[E0308]: mismatched types",
    95,
  ),
  cause(
    "rustc-module",
    "dependency_resolution",
    /^error\[E0463\]: can't find crate for `(?<module>[^`]+)`|^error\[E0432\]: unresolved import `(?<module2>[^`:]+)|use of undeclared crate or module `(?<module3>[^`]+)`|use of unresolved module or unlinked crate `(?<module4>[^`]+)`/,
    "error[E0432]: unresolved import `serde`",
    95,
  ),
  cause("rustc-error", "compile_error", /^error\[E\d{4}\]: /, "error[E0382]: borrow of moved value: `v`", 94),
  cause(
    "cargo-resolve",
    "dependency_resolution",
    /^error: (?:failed to select a version|no matching package|failed to (?:get|load) `|the lock file .* needs to be updated|cannot update the lock file)|no matching package named `(?<package>[^`]+)` found/,
    'error: failed to select a version for the requirement `serde = "^9"`',
    95,
  ),
  cause(
    "cargo-version",
    "version_mismatch",
    /requires rustc (?<version>[\d.]+)|cannot be built because it requires rustc|feature `edition\d+` is required|is not supported by the following packages/,
    "error: package `acme v1.0.0` cannot be built because it requires rustc 1.75 or newer",
    96,
  ),
  cause(
    "cargo-manifest",
    "configuration",
    /failed to parse manifest at|could not find `Cargo\.toml`|no (?:bin|example|test) target named/,
    "error: failed to parse manifest at `/app/Cargo.toml`",
    94,
  ),
  cause(
    "rust-panic",
    "test_failure",
    /^thread '(?<test>[^']+)' (?:\(\d+\) )?panicked at/,
    "thread 'cart::total' panicked at src/cart.rs:12:5:",
    90,
  ),
  cause("rust-test", "test_failure", /^test (?<test>\S+) \.\.\. FAILED$/, "test cart::total ... FAILED", 84),
  wrapper(
    "rust-counts",
    "test_failure",
    /^test result: FAILED|^error: (?:\d+ targets? failed|test failed, to rerun)/,
    "test result: FAILED. 1 passed; 1 failed; 0 ignored",
    70,
  ),
  wrapper(
    "rustc-summary",
    "compile_error",
    /^error: (?:could not compile `|aborting due to)/,
    'error: could not compile `shop` (bin "shop") due to 1 previous error',
    60,
  ),
  cause(
    "rustfmt",
    "lint",
    /^Diff in (?<file>\S+?)(?: at line |:)(?<line>\d+):$/,
    "Diff in /app/src/cart.rs:12:",
    88,
  ),
]);
