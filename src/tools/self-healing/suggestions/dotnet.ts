import { command, configuration, edit, retry, within } from "./suggestion.ts";

export const dotnet = within("dotnet", [
  command(
    { categories: ["dependency_resolution"] },
    "dotnet-restore",
    "Restore again, past the cache",
    "A stale cache or a source that is not configured hides the package.",
    "dotnet nuget locals all --clear && dotnet restore",
  ),
  configuration(
    { categories: ["dependency_resolution"], signatures: ["credentials"] },
    "dotnet-sources",
    "Check the package sources and their credentials",
    "A private feed must be listed in nuget.config, with a token in CI.",
    "dotnet nuget list source",
  ),
  configuration(
    { categories: ["version_mismatch"] },
    "dotnet-sdk",
    "Install the SDK that global.json or the target framework asks for",
    "The project targets a framework that the installed SDKs do not know.",
    "dotnet --list-sdks",
  ),
  command(
    { categories: ["compile_error", "type_error"] },
    "dotnet-build",
    "Build locally and mend the first error",
    "Later errors often follow from it.",
    "dotnet build --no-incremental",
  ),
  command(
    { categories: ["test_failure"] },
    "dotnet-run-test",
    "Run the failing test alone",
    "A test that fails alone is broken; one that passes alone depends on others.",
    "dotnet test --filter FullyQualifiedName~{test}",
  ),
  command(
    { categories: ["lint"] },
    "dotnet-format",
    "Let the formatter fix what it can",
    "Analyser findings with a code fix are applied in place.",
    "dotnet format",
  ),
  edit(
    { categories: ["configuration", "missing_file"] },
    "dotnet-project",
    "Name the project or solution file",
    "MSBuild found none, or more than one, where it was started.",
    "dotnet sln list",
  ),
  retry(
    { categories: ["network"] },
    "dotnet-retry",
    "Restore again, one package at a time",
    "A package source did not answer.",
    "dotnet restore --disable-parallel",
  ),
]);
