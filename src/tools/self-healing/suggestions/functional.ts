import { command, within } from "./suggestion.ts";

export const elixir = within("elixir", [
  command(
    { categories: ["dependency_resolution"] },
    "elixir-deps",
    "Fetch the dependencies, or unlock the one that conflicts",
    "The lock does not fit mix.exs, or the dependencies were never fetched.",
    "mix deps.get",
  ),
  command(
    { categories: ["compile_error", "type_error"] },
    "elixir-compile",
    "Compile from scratch",
    "Modules compiled against an older dependency may not fit.",
    "mix do clean, compile",
  ),
  command(
    { categories: ["test_failure"] },
    "elixir-test",
    "Run only what failed",
    "--failed repeats the tests that failed last.",
    "mix test --failed --trace",
  ),
  command(
    { categories: ["lint"] },
    "elixir-format",
    "Format the sources",
    "The check only says which files differ.",
    "mix format",
  ),
]);

export const haskell = within("haskell", [
  command(
    { categories: ["dependency_resolution"] },
    "haskell-update",
    "Update the package index and solve again",
    "The bounds admit no plan with the known versions.",
    "cabal update && cabal build --dry-run",
  ),
  command(
    { categories: ["compile_error", "type_error"] },
    "haskell-build",
    "Build locally and mend the first error",
    "Later errors often follow from it.",
    "cabal build",
  ),
  command(
    { categories: ["test_failure"] },
    "haskell-test",
    "Run the tests with their output",
    "Cabal writes it to a file unless it is asked.",
    "cabal test --test-show-details=direct",
  ),
  command(
    { categories: ["lint"] },
    "haskell-hlint",
    "Apply HLint's suggestions",
    "Most come with the replacement.",
    "hlint .",
  ),
]);
