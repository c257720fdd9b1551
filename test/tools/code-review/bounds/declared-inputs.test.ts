import { describe, expect, it } from "vitest";
import { levelOf } from "../support/level-of.ts";

const times = (count: number, text: (at: number) => string, between = "") =>
  Array.from({ length: count }, (_, at) => text(at)).join(between);

/** Asserts that a declaration is read up to the bound `last`, and not beyond. */
const bound = (what: string, path: string, code: (count: number) => string, last: number) =>
  it(`${what}: ${last}`, () => {
    const [within, beyond] = [levelOf(path, code(last)), levelOf(path, code(last + 1))];
    expect([within, beyond === within]).toEqual(["literal", false]);
  });

const ZOD = 'import { z } from "zod";\n';

describe("limits of what is read of declared inputs", () => {
  bound(
    "schemas that are within each other",
    "a.ts",
    (count) => `${ZOD}show(${"z.optional(".repeat(count)}z.number()${")".repeat(count)}.parse(req.query.n));`,
    4,
  );
  bound(
    "parts of a schema",
    "a.ts",
    (count) => `${ZOD}const a = z.number()${".min(1)".repeat(count - 2)};\nshow(a.parse(req.query.n));`,
    30,
  );
  bound(
    "arguments of a route that may be its options",
    "a.ts",
    (count) =>
      `${ZOD}app.get(${times(count - 1, (at) => `a${at}, `)}{ schema: { params: z.object({ id: z.number() }) } }, (request) => { show(request.params.id); });`,
    20,
  );
  bound(
    "names of a pattern before another",
    "a.ts",
    (count) =>
      `${ZOD}tool("a", { inputSchema: z.object({ id: z.number() }) }, ({ ${times(count, (at) => `a${at}, `)}id }) => { show(id); });`,
    49,
  );
  bound(
    "types of Python within each other",
    "a.py",
    (count) =>
      `@app.get("/")\ndef f(a: ${"Optional[".repeat(count - 1)}int${"]".repeat(count - 1)}):\n    show(a)`,
    4,
  );
  bound(
    "calls of a PHP file that validate",
    "a.php",
    (count) =>
      `<?php\n${"$request->validate([]);\n".repeat(count - 1)}$data = $request->validate(["n" => "integer"]);\nshow($data["n"]);`,
    50,
  );
});
