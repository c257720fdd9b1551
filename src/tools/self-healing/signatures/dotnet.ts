import { cause, within, wrapper } from "./signature.ts";

export const dotnet = within("dotnet", [
  cause(
    "nuget",
    "dependency_resolution",
    /error NU1\d{3}: |Unable to find package (?<package>[\w.]+)|error NETSDK1004/,
    "/app/Shop.csproj : error NU1101: Unable to find package Acme.Tax.",
    95,
  ),
  cause(
    "dotnet-sdk",
    "version_mismatch",
    /error NETSDK1045|A compatible (?:\.NET|installed \.NET) SDK .*was not found|You must install(?: or update)? \.NET to run|MSB3644|The framework 'Microsoft\.\S+', version '(?<version>[\d.]+)'/,
    "error NETSDK1045: The current .NET SDK does not support targeting .NET 9.0.",
    96,
  ),
  cause(
    "csc-type",
    "type_error",
    /error (?:CS0(?:019|029|030|117|118|246|266|103|012|428)|CS1(?:061|503|729|501|739)|FS0001|BC3\d{4}): /,
    "/app/Cart.cs(12,5): error CS0029: Cannot implicitly convert type 'string' to 'int'",
    94,
  ),
  cause(
    "csc-error",
    "compile_error",
    /error (?:CS|FS|BC)\d{4}: /,
    "/app/Cart.cs(12,5): error CS1002: ; expected",
    94,
  ),
  cause(
    "analyzer-error",
    "lint",
    /error (?:CA|IDE|SA|S|RCS|MA)\d{4}: /,
    "/app/Cart.cs(12,5): error CA1822: Member 'Total' does not access instance data",
    93,
  ),
  cause(
    "msbuild-error",
    "configuration",
    /error (?:MSB|NETSDK)\d{4}: /,
    "MSBUILD : error MSB1009: Project file does not exist.",
    92,
  ),
  cause(
    "dotnet-test",
    "test_failure",
    /^\s*Failed (?<test>[\w.]+(?:\(.*\))?) \[[\d,.< ]+ ?m?s\]|^\s*(?:Xunit|NUnit)\.\S+|^\s*\[xUnit\.net [\d:.]+\]\s+(?<test2>\S+) \[FAIL\]/,
    "  Failed Shop.CartTest.Total [12 ms]",
    91,
  ),
  wrapper(
    "dotnet-counts",
    "test_failure",
    /^(?:Failed!\s+- Failed:|Test Run Failed\.)/,
    "Failed!  - Failed:     1, Passed:    11, Skipped:     0",
    70,
  ),
  wrapper("dotnet-build-failed", "compile_error", /^Build FAILED\.$/, "Build FAILED.", 50),
]);
