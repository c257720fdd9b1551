import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/system/package.ts";

export interface Instruction {
  name: string;
  /** Flags such as `--from=build`, by name. */
  flags: Record<string, string>;
  /** Rest of the instruction, verbatim. */
  rest: string;
}

/** Parses this repository's Dockerfile into stages of instructions. Supports only the forms used there. */
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
      // Flags inside a command's list belong to the command.
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

/** Parses the words of a command in exec form, which starts no shell. Throws if it has another form. */
export function wordsOf(command: string): string[] {
  return JSON.parse(command.replace(/^CMD\s+/, ""));
}
