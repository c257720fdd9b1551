import any from "./any.json" with { type: "json" };
import environment from "./environment.json" with { type: "json" };
import exceptions from "./exceptions.json" with { type: "json" };
import c from "./languages/c.json" with { type: "json" };
import dart from "./languages/dart.json" with { type: "json" };
import dotnet from "./languages/dotnet.json" with { type: "json" };
import elixir from "./languages/elixir.json" with { type: "json" };
import go from "./languages/go.json" with { type: "json" };
import gradle from "./languages/gradle.json" with { type: "json" };
import haskell from "./languages/haskell.json" with { type: "json" };
import jvm from "./languages/jvm.json" with { type: "json" };
import maven from "./languages/maven.json" with { type: "json" };
import node from "./languages/node.json" with { type: "json" };
import others from "./languages/others.json" with { type: "json" };
import php from "./languages/php.json" with { type: "json" };
import python from "./languages/python.json" with { type: "json" };
import ruby from "./languages/ruby.json" with { type: "json" };
import rust from "./languages/rust.json" with { type: "json" };
import sbt from "./languages/sbt.json" with { type: "json" };
import swift from "./languages/swift.json" with { type: "json" };
import ansible from "./platforms/ansible.json" with { type: "json" };
import ci from "./platforms/ci.json" with { type: "json" };
import clouds from "./platforms/clouds.json" with { type: "json" };
import databases from "./platforms/databases.json" with { type: "json" };
import docker from "./platforms/docker.json" with { type: "json" };
import git from "./platforms/git.json" with { type: "json" };
import kubernetes from "./platforms/kubernetes.json" with { type: "json" };
import kubernetesApi from "./platforms/kubernetes-api.json" with { type: "json" };
import linters from "./platforms/linters.json" with { type: "json" };
import nativeLibraries from "./platforms/native-libraries.json" with { type: "json" };
import scanners from "./platforms/scanners.json" with { type: "json" };
import shell from "./platforms/shell.json" with { type: "json" };
import ssh from "./platforms/ssh.json" with { type: "json" };
import systemPackages from "./platforms/system-packages.json" with { type: "json" };
import terraform from "./platforms/terraform.json" with { type: "json" };
import type { FailuresFile } from "./schema.ts";

/** The failures of single tools. Of two signatures of the same weight, that of the earlier file is tried first. */
export const TOOLS = [
  linters,
  scanners,
  databases,
  others,
  maven,
  gradle,
  sbt,
  jvm,
  node,
  python,
  c,
  go,
  rust,
  dotnet,
  dart,
  swift,
  elixir,
  haskell,
  ruby,
  php,
  shell,
  git,
  ssh,
  systemPackages,
  nativeLibraries,
  kubernetes,
  kubernetesApi,
  terraform,
  clouds,
  ansible,
  docker,
  ci,
  environment,
  exceptions,
] as readonly FailuresFile[];

/** The failures that any tool may write, tried last. */
export const ANY = any as FailuresFile;
