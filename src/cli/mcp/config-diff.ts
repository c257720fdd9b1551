import { diffLines } from "diff";
import type { Context } from "../context.ts";

export function configDiff(
  before: string,
  after: string,
  file: string,
  { green, red, dim }: Context["io"]["err"]["style"],
) {
  const parts = diffLines(before, after);
  return [
    dim(file),
    ...parts.flatMap(({ added, removed, value }, index) => {
      const lines = value.replace(/\n$/, "").split("\n");
      if (added) return lines.map((line) => green(`+ ${line}`));
      if (removed) return lines.map((line) => red(`- ${line}`));
      const [head, tail] = [
        index > 0 ? lines.slice(0, CONTEXT) : [],
        index < parts.length - 1 ? lines.slice(-CONTEXT) : [],
      ];
      const around = lines.length <= head.length + tail.length ? lines : [...head, "…", ...tail];
      return around.map((line) => `  ${line}`);
    }),
  ];
}

const CONTEXT = 3;
