import { cause, exit, within, wrapper } from "./signature.ts";

/** Maven, and what its plugins say. The category of a failed goal is that of its plugin: maven-goal.ts. */
export const maven = within("maven", [
  cause(
    "maven-unresolved-dependency",
    "dependency_resolution",
    /Could not resolve dependencies for project|Could not find artifact (?<package>[\w.:-]+)|Could not transfer artifact|Failed to (?:read|collect) (?:artifact descriptor|dependencies)|artifacts? could not be resolved|Non-(?:resolvable|parseable) (?:import |parent )?POM/,
    "Could not find artifact com.acme:core:jar:1.2.3 in central (https://repo.example.org/maven2)",
    94,
  ),
  cause(
    "maven-plugin-unresolved",
    "dependency_resolution",
    /^Plugin (?<package>[\w.:-]+) or one of its dependencies could not be resolved|No plugin found for prefix '(?<module>[\w-]+)'/,
    "Plugin com.acme:gen-maven-plugin:1.0 or one of its dependencies could not be resolved: no answer",
    95,
  ),
  cause(
    "maven-dependency-lock",
    "dependency_resolution",
    /^The following dependencies (?:differ|are)|^Extraneous dependency|^Missing dependency|: Dependencies differ\b/,
    "The following dependencies differ:",
    88,
  ),
  cause(
    "maven-enforcer-rule",
    "version_mismatch",
    /^\s*(?:\S+ )?Rule \d+: [\w.$]+ failed with message|Dependency convergence error for|Require upper bound dependencies error for|Found Banned Dependency|Detected (?:JDK|Maven) [Vv]ersion|requires Jenkins [\d.]+ or higher/,
    "Dependency convergence error for org.slf4j:slf4j-api:2.0.7 paths to dependency are:",
    92,
  ),
  cause(
    "maven-model",
    "configuration",
    /^(?:Malformed POM|'[\w.]+' (?:for \S+ )?is missing|Some problems were encountered while processing the POMs|Non-readable POM|The goal you specified requires a project|Unknown lifecycle phase|Child module .+ does not exist|Unrecognised tag)/,
    "'dependencies.dependency.version' for com.acme:core:jar is missing. @ line 34, column 17",
  ),
  wrapper(
    "maven-goal",
    undefined,
    /^Failed to execute goal (?<goal>\S+)/,
    "Failed to execute goal com.acme:x-maven-plugin:1.0:run (default) on project core: it broke",
    74,
  ),
  exit("maven-compilation-banner", "compile_error", /^COMPILATION ERROR\b/, "COMPILATION ERROR : "),
  exit("build-failure", undefined, /^BUILD FAIL(?:URE|ED)\b/, "BUILD FAILURE", 62),
]);
