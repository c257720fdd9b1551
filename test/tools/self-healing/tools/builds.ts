import type { ToolFailure } from "../logs/tool-failures.ts";

/** Whose own line tells more than its neighbours do. */
export const BUILDS: readonly ToolFailure[] = [
  {
    name: "an image for another processor",
    run: "docker compose up",
    log: "WARNING: The requested image's platform (linux/arm64) does not match the detected host platform (linux/amd64/v3) and no specific platform was requested\nexec /bin/till: exec format error\n",
    cause: "exec format error",
    category: "version_mismatch",
    advice: /architecture/,
    never: /line ends/,
  },
  {
    name: "a program for another processor",
    run: "./till",
    log: "bash: ./till: cannot execute binary file: Exec format error\n",
    cause: "xec format error",
    category: "version_mismatch",
    advice: /architecture/,
    never: /line ends/,
  },
  {
    name: "an image that cannot be pulled, before the rollout's time is up",
    run: "kubectl rollout status deployment/till",
    log: "till-7d9c5-x2x4q   0/1   ErrImagePull   0   1m\nerror: timed out waiting for the condition on deployments/till\n",
    cause: "ErrImagePull",
    category: "dependency_resolution",
    ecosystem: "kubernetes",
    advice: /imagePullSecret/,
  },
  {
    name: "an image that nobody pushed, as events tell it",
    run: "helm upgrade till ./chart --wait",
    log: '4s  Warning  Failed  pod/till-0  Failed to pull image "acme.test/till:1.9": Error response from daemon: manifest for acme.test/till:1.9 not found: manifest unknown\nError: UPGRADE FAILED: context deadline exceeded\n',
    cause: "acme.test/till:1.9",
    category: "dependency_resolution",
    ecosystem: "kubernetes",
    advice: /Correct acme\.test\/till:1\.9/,
  },
  {
    name: "a rollout whose pods crash",
    run: "kubectl rollout status deployment/till",
    log: 'till-7d9c5-x2x4q   0/1   CrashLoopBackOff   6   9m\nerror: deployment "till" exceeded its progress deadline\n',
    cause: "CrashLoopBackOff",
    category: "infrastructure",
    ecosystem: "kubernetes",
    advice: /kubectl describe pods/,
  },
  {
    name: "NuGet, a downgrade under central versions",
    run: "dotnet restore",
    log: "/src/Till/Till.csproj : error NU1605: Warning As Error: Detected package downgrade: System.Text.Json from 9.0.0 to centrally defined 8.0.4. Reference the package directly from the project to select a different version.\n",
    cause: "NU1605",
    category: "dependency_resolution",
    ecosystem: "dotnet",
    advice: /add package System\.Text\.Json --version 9\.0\.0/,
  },
  {
    name: "Terraform, what exists at Google",
    run: "terraform apply",
    log: '│ Error: Error creating Topic: googleapi: Error 409: Resource already exists in the project (resource=till-events)., alreadyExists\n│ \n│   with google_pubsub_topic.events,\n│   on topics.tf line 3, in resource "google_pubsub_topic" "events":\n',
    cause: "Error 409",
    category: "configuration",
    ecosystem: "terraform",
    place: "topics.tf:3",
    advice: /Import what exists/,
    never: /terraform validate/,
  },
  {
    name: "Android, a library that wants a newer plugin",
    run: "./gradlew assembleDebug",
    log: `* What went wrong:
Execution failed for task ':app:checkReleaseAarMetadata'.
> A failure occurred while executing com.android.build.gradle.internal.tasks.CheckAarMetadataWorkAction
   > An issue was found when checking AAR metadata:

       1.  Dependency 'androidx.activity:activity:1.11.0' requires Android Gradle plugin 8.9.1 or higher.

           This build currently uses Android Gradle plugin 8.6.0.

BUILD FAILED in 9s
`,
    cause: "androidx.activity",
    category: "version_mismatch",
    ecosystem: "gradle",
    advice: /Raise .* 8\.9\.1/,
  },
  {
    name: "PostgreSQL, rows that are not unique",
    run: "bin/rails db:migrate",
    log: 'PG::UniqueViolation: ERROR:  could not create unique index "index_carts_on_token"\nDETAIL:  Key (token)=(a1) is duplicated.\n',
    cause: "could not create unique index",
    category: "configuration",
    ecosystem: "ruby",
    advice: /rows that exist/,
  },
];
