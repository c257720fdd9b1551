import { command, configuration, within } from "./suggestion.ts";

export const swift = within("swift", [
  command(
    { categories: ["dependency_resolution"] },
    "swift-resolve",
    "Resolve packages again",
    "A stale resolution names versions that are gone.",
    "swift package reset && swift package resolve",
  ),
  command(
    { signatures: ["cocoapods"] },
    "swift-pods",
    "Update the pod specifications",
    "The local copy of the specification repository is older than the Podfile.",
    "pod install --repo-update",
  ),
  configuration(
    { signatures: ["swift-signing"], categories: ["permission"] },
    "swift-signing",
    "Give CI the certificate and profile, or build without signing",
    "Signing needs a certificate in an unlocked keychain.",
    "xcodebuild build CODE_SIGNING_ALLOWED=NO",
  ),
  command(
    { categories: ["compile_error", "type_error"] },
    "swift-clean",
    "Build from scratch",
    "Derived data of another Xcode or branch misleads the compiler.",
    "xcodebuild clean build",
  ),
  command(
    { categories: ["test_failure"] },
    "swift-run-test",
    "Run the failing tests alone",
    "A test that fails alone is broken; one that passes alone depends on others.",
    "swift test --filter {test}",
  ),
  configuration(
    { categories: ["version_mismatch"] },
    "swift-xcode",
    "Select the Xcode that the project needs",
    "Swift tools and SDKs come with Xcode.",
    "xcode-select -p && swift --version",
  ),
  command(
    { categories: ["lint"] },
    "swift-lint",
    "Let SwiftLint fix what it can",
    "Most style findings are corrected in place.",
    "swiftlint --fix",
  ),
]);

export const dart = within("dart", [
  command(
    { categories: ["dependency_resolution"] },
    "dart-pub-get",
    "Resolve again, allowing newer versions",
    "The constraints admit no common set of versions.",
    "dart pub upgrade --major-versions",
  ),
  command(
    { categories: ["compile_error", "type_error"] },
    "dart-analyze",
    "Analyse locally and mend the first error",
    "Later errors often follow from it.",
    "dart analyze",
  ),
  command(
    { categories: ["test_failure"] },
    "dart-test",
    "Run the failing test alone",
    "A test that fails alone is broken; one that passes alone depends on others.",
    "dart test {file}",
  ),
  command(
    { categories: ["lint"] },
    "dart-fix",
    "Apply the analyser's fixes",
    "Most lints come with one.",
    "dart fix --apply && dart format .",
  ),
  configuration(
    { categories: ["version_mismatch"] },
    "dart-sdk",
    "Use the SDK that pubspec.yaml asks for",
    "The environment constraint excludes the installed SDK.",
    "flutter --version",
  ),
]);
