import { anything } from "./anything.ts";
import { docker, kubernetes, terraform } from "./containers.ts";
import { dotnet } from "./dotnet.ts";
import { elixir, haskell } from "./functional.ts";
import { git } from "./git.ts";
import { go } from "./go.ts";
import { gradle, sbt } from "./gradle.ts";
import { maven } from "./maven.ts";
import { dart, swift } from "./mobile.ts";
import { native } from "./native.ts";
import { node } from "./node.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { runners } from "./runners.ts";
import { rust } from "./rust.ts";
import { shell } from "./shell.ts";
import type { Suggestion } from "./suggestion.ts";

export const SUGGESTIONS: readonly Suggestion[] = [
  ...node,
  ...python,
  ...maven,
  ...gradle,
  ...sbt,
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
  ...docker,
  ...kubernetes,
  ...terraform,
  ...runners,
  ...anything,
];
