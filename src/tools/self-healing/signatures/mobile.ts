import { cause, within, wrapper } from "./signature.ts";

export const swift = within("swift", [
  cause(
    "swift-error",
    "compile_error",
    /^(?<file>\S+\.(?:swift|mm?)):(?<line>\d+):\d+: (?:fatal )?error: /,
    "/app/Cart.swift:12:5: error: cannot find 'total' in scope",
    95,
  ),
  cause(
    "swift-signing",
    "permission",
    /requires a (?:development team|provisioning profile)|No signing certificate|Code ?[Ss]ign(?:ing)? [Ee]rror|errSecInternalComponent/,
    'error: Signing for "Shop" requires a development team.',
    95,
  ),
  cause(
    "cocoapods",
    "dependency_resolution",
    /CocoaPods could not find compatible versions for pod "(?<package>[^"]+)"|Unable to find a specification for `(?<package2>[^`]+)`|None of your spec sources contain|error: Dependencies could not be resolved|Could not resolve package dependencies/,
    '[!] CocoaPods could not find compatible versions for pod "Tax":',
    95,
  ),
  cause(
    "xctest",
    "test_failure",
    /: error: -\[\S+ \S+\] : |^Test Case '-?\[?(?<test>[^\]']+)\]?' failed/,
    "Test Case '-[CartTests testTotal]' failed (0.012 seconds).",
    92,
  ),
  wrapper(
    "xcodebuild-failed",
    "compile_error",
    /^\*\* (?:BUILD|ARCHIVE|TEST) FAILED \*\*$|^The following build commands failed:/,
    "** BUILD FAILED **",
    62,
  ),
]);

export const dart = within("dart", [
  cause(
    "dart-error",
    "compile_error",
    /^(?<file>\S+\.dart):(?<line>\d+):\d+: Error: /,
    "lib/cart.dart:12:5: Error: Expected ';' after this.",
    95,
  ),
  cause(
    "dart-analyze",
    "lint",
    /^\s*(?:error|warning|info) [•-] .* [•-] (?<file>\S+\.dart:\d+:\d+) [•-]/,
    "  error • Undefined name 'total' • lib/cart.dart:12:5 • undefined_identifier",
    93,
  ),
  cause(
    "pub-solving",
    "dependency_resolution",
    /version solving failed|because .* depends on (?<package>\w+) any which doesn't exist/i,
    "So, because shop depends on tax ^9.0.0 which doesn't match any versions, version solving failed.",
    95,
  ),
  cause(
    "dart-test",
    "test_failure",
    /^\d\d:\d\d \+\d+ (?:~\d+ )?-[1-9]\d*: .* \[E\]$/,
    "00:01 +3 -1: cart adds the tax [E]",
    91,
  ),
]);
