import { cause, exit, symptom, within, wrapper } from "./signature.ts";

export const gradle = within("gradle", [
  cause(
    "gradle-unresolved-dependency",
    "dependency_resolution",
    /^\s*>? ?Could not (?:find|resolve) (?:all (?:files|dependencies|artifacts|task dependencies) for|(?<package>[\w.-]+:[\w.-]+(?::[\w.+-]+)?))|was not found in any of the following sources/,
    "   > Could not find com.acme:core:1.2.3.",
    91,
  ),
  cause(
    "gradle-script",
    "configuration",
    /^(?:A problem occurred (?:evaluating|configuring)|Could not (?:compile|open) (?:build file|settings file)|Build file '.+' line: (?<line>\d+)|Could not find method \S+ for arguments|Task '.+' not found in)/,
    "A problem occurred evaluating root project 'shop'.",
    88,
  ),
  cause(
    "gradle-java-version",
    "version_mismatch",
    /Unsupported class file major version|Gradle requires JVM|Android Gradle plugin requires Java (?<version>[\d.]+)|No (?:matching|compatible) toolchains? found|Could not determine java version|Minimum supported Gradle version/,
    "Android Gradle plugin requires Java 17 to run. You are currently using Java 11.",
    94,
  ),
  cause(
    "gradle-cause",
    undefined,
    /^\s*> (?:There were|Compilation (?:failed|error)|Process 'command|A failure occurred|Unable to|Failed to|Cannot |Could not|\S.*(?:Exception|Error|failed|violations|not found))/,
    "   > There were failing tests. See the report at: file:///build/reports/index.html",
    70,
  ),
  wrapper(
    "gradle-task-compile",
    "compile_error",
    /^Execution failed for task '[^']*:(?:compile\w*|kapt\w*|ksp\w*|\w+Compile\w*)'/i,
    "Execution failed for task ':app:compileJava'.",
    72,
  ),
  wrapper(
    "gradle-task-test",
    "test_failure",
    /^Execution failed for task '[^']*:\w*[tT]est\w*'/,
    "Execution failed for task ':app:test'.",
    72,
  ),
  wrapper(
    "gradle-task-lint",
    "lint",
    /^Execution failed for task '[^']*:(?:checkstyle|pmd|spotbugs|spotless|ktlint|detekt|lint|japicmp|apiCheck)\w*'/,
    "Execution failed for task ':app:checkstyleMain'.",
    80,
  ),
  wrapper(
    "gradle-task",
    undefined,
    /^Execution failed for task '/,
    "Execution failed for task ':app:bundle'.",
    70,
  ),
  symptom("gradle-task-failed", undefined, /^> Task \S+ FAILED$/, "> Task :app:test FAILED", 46),
  exit(
    "gradle-failure-banner",
    undefined,
    /^FAILURE: Build (?:failed|completed) with|^\* What went wrong:/,
    "FAILURE: Build failed with an exception.",
    60,
  ),
]);

export const sbt = within("sbt", [
  cause(
    "sbt-unresolved",
    "dependency_resolution",
    /unresolved dependency: |sbt\.librarymanagement\.ResolveException|Error downloading \S+:\S+/,
    "unresolved dependency: com.acme#core;1.2.3: not found",
    94,
  ),
  wrapper(
    "sbt-task",
    undefined,
    /^\(\S+ \/ [^)]+\) (?:Compilation|sbt\.|java\.|.*(?:failed|unsuccessful|Exception|Error))/,
    "(Compile / compileIncremental) Compilation failed",
    68,
  ),
]);
