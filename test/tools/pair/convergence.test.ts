import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairCollections } from "../../../src/tools/pair/documents.ts";
import { HISTORY } from "../../../src/tools/pair/history.ts";
import { readSession } from "../../../src/tools/pair/read-session.ts";
import { recordChange } from "../../../src/tools/pair/record-change.ts";
import type { Edit } from "../../../src/tools/pair/session-contract.ts";
import { startSession } from "../../../src/tools/pair/start-session.ts";
import { collision, rebase } from "../../../src/tools/pair/text.ts";
import { runs } from "../../support/runs.ts";
import { openTestStore } from "../../support/store.ts";
import { applied, byPath, editsOf, openPair, replayed, text } from "./pair.ts";

const FILES = ["a", "b"];
const AUTHORS = ["alice", "bob", "carol"];

/** An author's next step, as numbers, since its meaning depends on the author's state. */
const step = fc.record({
  author: fc.nat(AUTHORS.length - 1),
  file: fc.nat(FILES.length - 1),
  /** Whether the author reads the others' changes first. */
  reads: fc.boolean(),
  places: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), text), {
    minLength: 1,
    maxLength: 3,
  }),
  removes: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function editsFor({ places, removes }: Step, length: number): Edit[] {
  let end = 0;
  return places
    .map(([place, insert]) => ({ at: Math.round(place * length), insert }))
    .sort((left, right) => left.at - right.at)
    .flatMap(({ at, insert }) => {
      const from = Math.max(at, end);
      const to = removes ? Math.min(length, from + 2) : from;
      end = to;
      return from < to || insert !== "" ? [{ from, to, insert }] : [];
    });
}

describe("a session", () => {
  it("leads all authors to the same text, in any order of writing and reading", async () => {
    const store = await openTestStore({ collections: pairCollections });
    let sessions = 0;
    let rebased = 0;
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.array(step, { minLength: 5, maxLength: 40 }),
        async (first, second, steps) => {
          const id = `session ${sessions++}`;
          const uploaded: Record<string, string> = { a: first, b: second };
          await store.transact((tx) =>
            startSession(
              tx,
              "space",
              id,
              {
                participants: AUTHORS.map((author) => ({ id: author, role: "driver" })),
                files: FILES.map((path) => ({ path, content: uploaded[path] as string })),
              },
              1,
            ),
          );
          const read = (since: number) =>
            store.transact((tx) => readSession(tx, "space", { sessionId: id, since }));
          const copies = AUTHORS.map(() => ({ sequence: 0, contents: { ...uploaded } }));
          for (const each of steps) {
            const copy = copies[each.author] as (typeof copies)[0];
            if (each.reads) {
              const { session, changes } = await read(copy.sequence);
              copy.contents = replayed(copy.contents, changes);
              copy.sequence = session.sequence;
            }
            const path = FILES[each.file] as string;
            const content = copy.contents[path] as string;
            const edits = editsFor(each, content.length);
            if (edits.length === 0) continue;
            const change = { sessionId: id, author: AUTHORS[each.author] as string, path, edits };
            try {
              const recorded = await store.transact((tx) =>
                recordChange(tx, "space", { ...change, baseRevision: copy.sequence }, 1, HISTORY),
              );
              if (recorded.change.rebased) rebased++;
            } catch (error) {
              expect(error).toMatchObject({ error: "conflict" });
              conflicts++;
            }
          }
          const whole = await read(0);
          const contents = byPath(whole);
          expect(whole.changes).toHaveLength(whole.session.sequence);
          expect(replayed(uploaded, whole.changes)).toEqual(contents);
          for (const copy of copies) {
            const { changes } = await read(copy.sequence);
            expect(replayed(copy.contents, changes)).toEqual(contents);
          }
          for (const { content, length } of whole.files) expect(content.length).toBe(length);
        },
      ),
      { numRuns: runs(60) },
    );
    // Fewer would prove nothing. By chance, 50 to 200 are usual.
    expect(Math.min(rebased, conflicts)).toBeGreaterThan(5);
  });

  it("leads an author who does not wait for the server to the server's text", () => {
    /** An author applies own edits at once, and the others' edits rebased over them. */
    const pairs = fc
      .tuple(text, fc.nat(3))
      .chain(([content]) => fc.tuple(fc.constant(content), editsOf(content.length), editsOf(content.length)));
    fc.assert(
      fc.property(pairs, ([content, theirs, ours]) => {
        fc.pre(collision(ours, theirs) === undefined);
        const server = applied(applied(content, theirs), rebase(ours, theirs, content.length));
        // Except for insertions at the same place, the order does not matter.
        const meet = ours.some((our) => theirs.some((their) => our.from === their.from));
        fc.pre(!meet);
        expect(applied(applied(content, ours), rebase(theirs, ours, content.length))).toBe(server);
      }),
      { numRuns: runs(200) },
    );
  });

  it("loses no change of 50 concurrent authors", async () => {
    const { start, changed, show } = await openPair();
    const authors = Array.from({ length: 50 }, (_, index) => `author${index}`);
    const lines = authors.map((author) => `${author}:\n`);
    const id = await start({ a: lines.join(""), b: "" }, authors);
    const rounds = 5;
    await Promise.all(
      authors.map(async (author, index) => {
        // Each author knows only the uploaded text and a place in it.
        const place = lines.slice(0, index + 1).join("").length - 1;
        for (let round = 0; round < rounds; round++) {
          await changed(id, { author, path: "a", edits: [{ from: place, to: place, insert: ` ${round}` }] });
        }
        await changed(id, { author, path: "b", edits: [{ from: 0, to: 0, insert: `${author};` }] });
      }),
    );
    const whole = await show(id);
    const { a = "", b = "" } = byPath(whole);
    expect(whole.session.sequence).toBe(50 * (rounds + 1));
    expect(a).toBe(authors.map((author) => `${author}: 0 1 2 3 4\n`).join(""));
    expect(b.split(";").filter(Boolean).sort()).toEqual([...authors].sort());
    expect(replayed({ a: lines.join(""), b: "" }, whole.changes)).toEqual({ a, b });
  });
});
