import { cause, survivable } from "./signature.ts";

/** Of the JVM's languages, whatever builds them. */
export const java = [
  cause(
    "javac-error",
    "compile_error",
    /^(?<file>\S+(?:\.java|\.kt|\.scala|\.groovy)):(?:\[(?<line>\d+),\d+\]|(?<line2>\d+)(?::\d+)?:) (?:error: )?(?!warning|Note)/,
    "/src/main/java/app/Shop.java:[71,65] cannot find symbol",
    93,
  ),
  cause(
    "javac-werror",
    "compile_error",
    /warnings found and -Werror specified/,
    "warnings found and -Werror specified",
    94,
  ),
  cause(
    "javac-release",
    "version_mismatch",
    /(?:error: )?(?:invalid (?:target|source) release|release version (?<version>\d+) not supported|Source option \d+ is no longer supported|class file has wrong version|UnsupportedClassVersionError)/,
    "Fatal error compiling: error: release version 21 not supported",
    95,
  ),
  cause(
    "kotlinc-error",
    "compile_error",
    /^e: (?:file:\/\/)?(?<file>\S+\.kts?):/,
    "e: file:///app/src/Main.kt:12:5 Unresolved reference: foo",
    93,
  ),
  cause(
    "junit-assertion",
    "test_failure",
    /^(?:java\.lang\.AssertionError|org\.(?:opentest4j|junit|assertj|hamcrest|testng)[\w.]*(?:Error|Failure|Exception)|junit\.framework\.\w+)\b|^\s*(?:expected:\s?<.*> but was:\s?<|Expected: .+ but: was )/,
    "org.opentest4j.AssertionFailedError: expected: <2> but was: <3>",
    88,
  ),
  cause(
    "surefire-test-line",
    "test_failure",
    /^\s*(?:\w+ )?(?<test>[\w.$]+(?:[:.][\w$[\]{}]+)?)(?:\(.*?\))?:?\s*(?:»|->)/,
    "  CartTest.shouldAdd:12 » NullPointer the shop is closed",
    89,
  ),
  cause(
    "surefire-test-elapsed",
    "test_failure",
    /^(?<test>[\w.$]+(?:\([\w.$]+\))?)\s+(?:--\s+)?Time elapsed: .*<<< (?:FAILURE|ERROR)!/,
    "shouldAdd(com.acme.SumTest)  Time elapsed: 0.011 sec  <<< FAILURE!",
    89,
  ),
  cause(
    "surefire-counts",
    "test_failure",
    /Tests run: \d+, Failures: (?!0, Errors: 0,)\d+, Errors: \d+/,
    "Tests run: 12, Failures: 1, Errors: 0, Skipped: 0",
    80,
  ),
  cause(
    "surefire-banner",
    "test_failure",
    /^(?:There (?:are|were) test failures|Failed tests:|Tests in error:|There were failing tests)/,
    "There are test failures.",
    76,
  ),
  cause(
    "gradle-test-exception",
    "test_failure",
    /^\s+(?:[a-z]\w*\.)*[A-Z]\w*(?:Exception|Error|Failure|Failed) at (?<file>\w+\.(?:java|kt|groovy|scala)):(?<line>\d+)$/,
    "    java.lang.IllegalArgumentException at CartTest.java:61",
    91,
  ),
  cause(
    "gradle-test-failed",
    "test_failure",
    /^\S.* > .+ FAILED$/,
    "LogDifferTest > testGithubParsing() FAILED",
    92,
  ),
  cause(
    "surefire-fork",
    "test_failure",
    /The forked VM terminated without (?:properly )?saying|There was an error in the forked process/,
    "The forked VM terminated without properly saying goodbye.",
    82,
  ),
  ...survivable([
    cause(
      "java-exception",
      undefined,
      /^(?:Exception in thread "[^"]*" |Caused(?: by)?: )(?:[a-z]\w*\.)*[A-Z][\w$]*(?:Exception|Error)\b|^(?:javax?|jakarta|kotlinx?|scala|groovy|org|com|net|io|sun|de|fr|eu|hudson|jenkins)\.(?:[a-z_]\w*\.)*[A-Z][\w$]*(?:Exception|Error)\b/,
      "java.lang.IllegalStateException: the shop is closed",
      80,
    ),
  ]),
];
