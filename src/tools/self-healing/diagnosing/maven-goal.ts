import type { Category } from "../categories.ts";

/**
 * Categories by the plugin's name, whatever its group:
 * `org.apache.maven.plugins:maven-compiler-plugin:3.10:compile`.
 */
const PLUGINS: readonly [RegExp, Category][] = [
  [
    /surefire|failsafe|junit|testng|jasmine|karma|cucumber|gatling|invoker|jacoco|pitest|cobertura/,
    "test_failure",
  ],
  [/enforcer|hpi|toolchains/, "version_mismatch"],
  [
    /checkstyle|pmd|spotbugs|findbugs|spotless|fmt|formatter|sniffer|japicmp|revapi|clirr|license|rat|sortpom|forbiddenapis|modernizer|javadoc|impsort|errorprone|sonar/,
    "lint",
  ],
  [/dependency|flatten|versions/, "dependency_resolution"],
  [
    /compiler|takari-lifecycle|kotlin|scala|groovy|gmavenplus|aspectj|antlr|protobuf|jaxb|cxf|modello|plexus|native|gwt|graalvm|graal/,
    "compile_error",
  ],
];

const GOAL =
  /Failed to execute goal (?:\[[\d;]*m)?(?<group>[\w.-]+):(?<plugin>[\w.-]+):[^\s:]+:(?<goal>[\w-]+)/;
const UNRESOLVED = /Failed to execute goal on project|Could not resolve dependencies for/;

/** Returns the category of the failed goal that a line of Maven names, `undefined` if it names none. */
export function categoryOfGoal(text: string): Category | undefined {
  if (UNRESOLVED.test(text)) return "dependency_resolution";
  const plugin = GOAL.exec(text)?.groups?.plugin;
  return plugin === undefined ? undefined : PLUGINS.find(([pattern]) => pattern.test(plugin))?.[1];
}

export function namesGoal(text: string): boolean {
  return text.includes("Failed to execute goal");
}
