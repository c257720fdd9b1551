import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/system/package.ts";

export interface Instruction {
  name: string;
  /** `--from=build` and the like, by name. */
  flags: Record<string, string>;
  /** What follows, as it stands. */
  rest: string;
}

/** Our Dockerfile as its stages, each a list of instructions, in the forms that we allow ourselves. */
export function stagesOfDockerfile(): Instruction[][] {
  const text = readFileSync(join(packageRoot, "Dockerfile"), "utf8");
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = "", given = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    const flags: Record<string, string> = {};
    const rest = given.replaceAll(/(?:^|(?<=\s))--([a-z-]+)=(\S+)\s*/g, (whole, flag, value, at) => {
      // Those of a command in a list are its own.
      if (given.lastIndexOf("[", at) >= 0) return whole;
      flags[flag] = value;
      return "";
    });
    if (name === "FROM") stages.push([]);
    stages.at(-1)?.push({ name, flags, rest: rest.trim() });
  }
  return stages;
}

export function all(stage: readonly Instruction[] | undefined, name: string): Instruction[] {
  return (stage ?? []).filter((instruction) => instruction.name === name);
}

/** The words of a command in a list: the form that starts no shell. Throws where it is none. */
export function wordsOf(command: string): string[] {
  return JSON.parse(command.replace(/^CMD\s+/, ""));
}
