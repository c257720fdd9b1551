import { posix } from "node:path";
import { argumentWord } from "../../system/processes/shell-word.ts";
import type { Repository } from "../repository.ts";
import { above, type Runner } from "./runner.ts";

/** Names Flutter's SDK as where a package is from. */
const OF_FLUTTER = /^(?:[^\n#]*[\s{])?sdk[ \t]*:[ \t]*["']?flutter\b/m;
const INTEGRATION = "integration_test";

/** Runs tests from their package, those of an application on a device apart from the others, as Flutter demands. */
export function dartRunner(repository: Pick<Repository, "files" | "text">, test: string): Runner | undefined {
  const directory = above(repository, test, ["pubspec.yaml"]);
  if (directory === undefined) return undefined;
  const manifest = repository.text(posix.join(directory, "pubspec.yaml")) ?? "";
  const start = OF_FLUTTER.test(manifest) ? "flutter test" : "dart test";
  const all = posix.relative(directory, test).startsWith(`${INTEGRATION}/`) ? [INTEGRATION] : [];
  return {
    directory,
    command: (paths) => [start, ...(paths.length > 0 ? paths.map(argumentWord) : all)].join(" "),
  };
}
