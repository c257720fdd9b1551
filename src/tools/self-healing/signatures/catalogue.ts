import { anything } from "./anything.ts";
import { clusters, containers } from "./containers.ts";
import { dotnet } from "./dotnet.ts";
import { environment } from "./environment.ts";
import { exceptions } from "./exceptions.ts";
import { elixir, haskell } from "./functional.ts";
import { git } from "./git.ts";
import { go } from "./go.ts";
import { gradle, sbt } from "./gradle.ts";
import { java } from "./java.ts";
import { maven } from "./maven.ts";
import { dart, swift } from "./mobile.ts";
import { native } from "./native.ts";
import { nodeBuilds } from "./node-builds.ts";
import { nodePackages } from "./node-packages.ts";
import { nodeTests } from "./node-tests.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { runners } from "./runners.ts";
import { rust } from "./rust.ts";
import { shell } from "./shell.ts";
import type { Signature } from "./signature.ts";

/**
 * Every signature in the order in which they are tried: exits, which leave no doubt; what single tools
 * write, the heaviest first; what any tool may write.
 */
export const SIGNATURES: readonly Signature[] = [
  ...maven,
  ...gradle,
  ...sbt,
  ...java,
  ...nodePackages,
  ...nodeBuilds,
  ...nodeTests,
  ...python,
  ...native,
  ...go,
  ...rust,
  ...dotnet,
  ...dart,
  ...swift,
  ...elixir,
  ...haskell,
  ...ruby,
  ...php,
  ...shell,
  ...git,
  ...clusters,
  ...containers,
  ...runners,
  ...environment,
  ...exceptions,
]
  .sort((a, b) => Number(b.role === "exit") - Number(a.role === "exit") || b.weight - a.weight)
  .concat(anything.toSorted((a, b) => b.weight - a.weight));
