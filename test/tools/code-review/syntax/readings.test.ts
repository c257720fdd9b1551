import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionsOf } from "../../../../src/tools/code-review/syntax/definitions/definitions.ts";
import type { Fragment } from "../../../../src/tools/code-review/syntax/fragment.ts";
import type { Range } from "../../../../src/tools/code-review/syntax/range.ts";
import { textExpressionsOf } from "../../../../src/tools/code-review/syntax/text-expression.ts";
import { fragmentOf } from "../cases.ts";
import { betweenOthers, furtherIn } from "../whole-names/elsewhere.ts";

const FOLDER = join(import.meta.dirname, "readings");

/**
 * Everything that is read from code: blocks between lines of `---`, with a path, the code, `=>`, and a line for
 * each function, definition, call, branch, import and text in it. The lists are complete: nothing else may be
 * read.
 */
describe.each(readdirSync(FOLDER))("the readings of %s", (file) => {
  const blocks = readFileSync(join(FOLDER, file), "utf8").split(/^---\n/m);

  it.each(blocks.map((block) => block.split("\n=>")))(
    "are complete and correct for %s",
    (given, expected = "") => {
      const [path = "", ...lines] = given.split("\n");
      expect(readingOf(fragmentOf(path, lines.join("\n")))).toEqual(expected.split("\n").filter(Boolean));
    },
  );

  it("are the same between other statements and when indented", () => {
    for (const block of blocks) {
      const [given = "", expected = ""] = block.split("\n=>");
      const [path = "", ...lines] = given.split("\n");
      const code = lines.join("\n");
      const between = betweenOthers(path, code);
      if (between === undefined || isCutOff(fragmentOf(path, code))) continue;
      const own = expected.split("\n").filter(Boolean);
      for (const text of [between, furtherIn(code)]) {
        const read = readingOf(fragmentOf(path, text));
        expect([path, read.filter((line) => !line.includes("zeta"))]).toEqual([path, own]);
      }
    }
  });

  it("have valid ranges if the code is cut off anywhere", () => {
    for (const block of blocks) {
      const [path = "", ...lines] = (block.split("\n=>")[0] as string).split("\n");
      const code = lines.join("\n");
      for (let at = 1; at < code.length; at += 7) {
        for (const part of [code.slice(0, at), code.slice(at)]) {
          const fragment = fragmentOf(path, part);
          const read = rangesOf(fragment).filter(({ from, to }) => from < 0 || to > fragment.tokens.length);
          expect(read, part).toEqual([]);
        }
      }
    }
  });
});

/** Whether a bracket is not closed, so that any code may follow. */
const isCutOff = ({ tokens }: Fragment) => tokens.some(({ kind, partner }) => kind === "open" && partner < 0);

function textOf(fragment: Fragment, { from, to }: Range): string {
  return fragment.tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join(" ");
}

function readingOf(fragment: Fragment): string[] {
  const text = (range: Range) => textOf(fragment, range);
  const { functions, imports } = fragment.names;
  return [
    ...functions.map(({ name = "", parameters, start, body }) => {
      const names = parameters.map((parameter) => parameter.name).join(", ");
      return `function ${name}(${names}) from ${fragment.text(start)}: ${text(body)}`;
    }),
    ...definitionsOf(fragment, functions).map(({ kind, name, key, value }) => {
      const under = key ? ` under ${text(key)}` : "";
      return `${kind} ${name}${under}${kind === "parameter" ? "" : `: ${text(value)}`}`;
    }),
    ...fragment.calls.map(({ isNew, path, args, start, end }) => {
      const given = args.map(text).join(" | ");
      return `call ${isNew ? "new " : ""}${path}(${given}) within ${text({ from: start, to: end })}`;
    }),
    ...fragment.branches.all.map((branch) => {
      const { condition, negated, chain } = branch;
      const { arms, subject, loop, complete } = chain;
      const known = [
        `branch ${negated ? "unless " : ""}${condition ? text(condition) : "-"}`,
        ...(subject ? [`of ${text(subject)}`] : []),
        ...(loop ? ["loop"] : []),
        ...(complete ? ["complete"] : []),
      ];
      return `${known.join(" ")} arm ${arms.indexOf(branch) + 1}/${arms.length}: ${text(branch)}`;
    }),
    ...[...imports].map(([name, module]) => `import ${name} = ${module}`),
    ...textExpressionsOf(fragment).map((found) => {
      return `text${found.joined ? " joined" : ""} "${found.text}": ${text(found)}`;
    }),
  ].map((line) => line.trimEnd());
}

/** Returns the ranges of everything that was read from a text. */
function rangesOf(fragment: Fragment): Range[] {
  const { functions } = fragment.names;
  return [
    ...functions.map(({ body }) => body),
    ...definitionsOf(fragment, functions).map(({ value }) => value),
    ...fragment.calls.map(({ start, end }) => ({ from: start, to: end })),
    ...fragment.branches.all,
    ...textExpressionsOf(fragment),
  ];
}
