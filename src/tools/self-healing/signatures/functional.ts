import { cause, within, wrapper } from "./signature.ts";

export const elixir = within("elixir", [
  cause(
    "elixir-compile",
    "compile_error",
    /^\*\* \((?:Compile|Syntax|Token(?:Missing)?)Error\) |^== Compilation error in file (?<file>\S+) ==/,
    "** (CompileError) lib/cart.ex:12: undefined function total/1",
    94,
  ),
  cause(
    "mix-dependency",
    "dependency_resolution",
    /Unchecked dependencies for environment|Failed to use "(?<package>\w+)" \(version|Hex dependency resolution failed|\*\* \(Mix\) Hex dependency/,
    "** (Mix) Hex dependency resolution failed",
    95,
  ),
  cause(
    "exunit",
    "test_failure",
    /^\s+\d+\) test .+ \([\w.]+\)$/,
    "  1) test adds the tax (Shop.CartTest)",
    92,
  ),
  cause("elixir-error", undefined, /^\*\* \([A-Z][\w.]+\) /, "** (RuntimeError) the shop is closed", 86),
  wrapper(
    "exunit-counts",
    "test_failure",
    /^\d+ (?:tests|doctests?, \d+ tests), [1-9]\d* failures?/,
    "12 tests, 1 failure",
    70,
  ),
]);

export const haskell = within("haskell", [
  cause(
    "ghc-error",
    "compile_error",
    /^(?<file>\S+\.hs):(?<line>\d+):\d+(?:-\d+)?: error:?/,
    "src/Cart.hs:12:5: error: [GHC-83865]",
    95,
  ),
  cause(
    "cabal-resolve",
    "dependency_resolution",
    /Could not resolve dependencies:|While constructing the build plan|rejecting: /,
    "Error: cabal: Could not resolve dependencies:",
    94,
  ),
]);
