import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { createHost } from "../../../src/server/indexing/host.ts";
import { loadKind } from "../../../src/server/indexing/load-kind.ts";
import type { FromIndex } from "../../../src/server/indexing/messages.ts";
import type { AnyHostedKind } from "../../../src/store/projection.ts";
import { temporaryDirectory } from "../../support/store.ts";

const SOUND = {
  kind: '{ name: "notes", collections: [notes] }',
  sources: "[{ collection: notes, apply() {} }]",
  empty: "() => ({ bytes: 0 })",
  answers: "{}",
};

/** Loads a kind from a module of JavaScript. */
function loaded(change: Partial<typeof SOUND>): Promise<AnyHostedKind> {
  const members = Object.entries({ ...SOUND, ...change }).map(([name, code]) => `${name}: ${code}`);
  const file = join(temporaryDirectory(), "notes.mjs");
  writeFileSync(file, `const notes = { name: "notes" };\nexport const index = { ${members.join(", ")} };\n`);
  return loadKind("notes", pathToFileURL(file).href);
}

it.each([
  [
    "a name of another kind",
    { kind: '{ name: "other", collections: [notes] }' },
    /exports no HostedKind of notes/,
  ],
  ["no sources", { sources: "undefined" }, /must have one source for each .* collections: notes/],
  ["a source that its kind does not name", { kind: '{ name: "notes" }' }, /must have one source for each/],
  ["no empty()", { empty: "undefined" }, /needs empty\(\)/],
  ["no answers", { answers: "undefined" }, /needs answers/],
])("loadKind() refuses a kind with %s", async (_, change, message) => {
  await expect(loaded(change)).rejects.toThrow(message);
});

it("loadKind() loads a sound kind", async () => {
  expect((await loaded({})).kind.name).toBe("notes");
});

/** Asks a projection of one document, and returns what the host replies to its being applied and to the question. */
async function replies(change: Partial<typeof SOUND>): Promise<FromIndex[]> {
  const kind = await loaded(change);
  const turns: (() => void)[] = [];
  const posted: FromIndex[] = [];
  const host = createHost({
    load: async () => kind,
    post: (message) => void posted.push(structuredClone(message)),
    maxBytes: 10_000,
    maxSpaceBytes: 10_000,
    monotonic: () => 0,
    later: (work) => void turns.push(work),
    onTurn: () => {},
  });
  const about = { kind: "notes", space: "acc_a" };
  await host({ ...about, type: "apply", id: 1, fresh: true, whole: true, changes: [["notes", ["a", "1"]]] });
  for (const work of turns.splice(0)) work();
  await host({ ...about, type: "ask", id: 2, name: "find", asked: null });
  for (const work of turns.splice(0)) work();
  return posted;
}

it.each(["find() { return []; }", "async find() {}", "async *find() {}"])(
  "an answer that is no generator is refused: %s",
  async (find) => {
    expect(await replies({ answers: `{ ${find} }` })).toMatchObject([
      { type: "done" },
      { type: "refusal", refusal: { failure: expect.stringContaining("find of notes must be a generator") } },
    ]);
  },
);

it("an answer that cannot be passed to the server is refused", async () => {
  expect(await replies({ answers: "{ *find() { return () => 1; } }" })).toMatchObject([
    { type: "done" },
    { type: "refusal", refusal: { failure: expect.stringContaining("could not be cloned") } },
  ]);
});

it("a projection that does not say its size is refused and not kept", async () => {
  const answers = "{ *find() { return 1; } }";
  expect(await replies({ answers, empty: "() => ({})" })).toMatchObject([
    { type: "refusal", refusal: { failure: expect.stringContaining("must say in bytes") } },
    { type: "gone" },
  ]);
  expect(await replies({ answers })).toMatchObject([{ type: "done" }, { type: "done", answer: 1 }]);
});
