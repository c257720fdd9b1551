import { command, configuration, edit, retry, within } from "./suggestion.ts";

export const rust = within("rust", [
  command(
    { categories: ["dependency_resolution"] },
    "rust-update",
    "Resolve again and commit Cargo.lock",
    "The lock file does not fit the manifest, or a version was withdrawn.",
    "cargo update",
  ),
  command(
    { signatures: ["rustc-module"] },
    "rust-add",
    "Add the crate",
    "The path names a crate that the manifest does not list.",
    "cargo add {module}",
  ),
  command(
    { categories: ["compile_error", "type_error"] },
    "rust-explain",
    "Read what the compiler's code means, then apply its hint",
    "rustc's notes usually hold the exact change.",
    "rustc --explain {code}",
  ),
  command(
    { categories: ["compile_error", "type_error"] },
    "rust-check",
    "Check locally and mend the first error",
    "Later errors often follow from it.",
    "cargo check --all-targets",
  ),
  command(
    { categories: ["version_mismatch"] },
    "rust-toolchain",
    "Use the toolchain that the crate needs",
    "A dependency declares a newer least version of Rust.",
    "rustup update stable && rustup show",
  ),
  command(
    { categories: ["test_failure"] },
    "rust-run-test",
    "Run the failing test alone, with a backtrace",
    "A test that fails alone is broken; one that passes alone shares state with others.",
    "RUST_BACKTRACE=1 cargo test {test} -- --nocapture",
  ),
  command(
    { categories: ["lint"] },
    "rust-fix",
    "Format, and let Clippy fix what it can",
    "Most findings come with a machine-applicable change.",
    "cargo fmt && cargo clippy --fix --allow-dirty",
  ),
  configuration(
    { categories: ["out_of_memory"] },
    "rust-jobs",
    "Run fewer jobs, with less debug information",
    "Linking is what takes the memory.",
    "CARGO_BUILD_JOBS=2 CARGO_PROFILE_DEV_DEBUG=0 cargo build",
  ),
  retry(
    { categories: ["network"] },
    "rust-retry",
    "Fetch again with more retries",
    "The registry or a Git dependency did not answer.",
    "CARGO_NET_RETRY=10 CARGO_NET_GIT_FETCH_WITH_CLI=true cargo fetch",
  ),
  edit(
    { categories: ["configuration"] },
    "rust-manifest",
    "Correct Cargo.toml",
    "Cargo names the table and key that it cannot read.",
    "cargo metadata --no-deps",
  ),
]);
