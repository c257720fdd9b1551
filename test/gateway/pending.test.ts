import { expect, it } from "vitest";
import { createPending } from "../../src/gateway/upstreams/pending.ts";

const ABOUT = { id: 1, method: "tools/call", progressToken: 1, owner: "key_1" };
const KIB = 1024;

async function numbersOf(pending: ReturnType<typeof createPending>): Promise<unknown[]> {
  const numbers: unknown[] = [];
  for await (const message of pending.messages()) numbers.push((message as { nth?: unknown }).nth);
  return numbers;
}

it.each([
  ["many", 5000, 10, 1000],
  ["long", 100, 10 * KIB, 25],
  ["very long", 10, 1024 * KIB, 1],
])(
  "of %s notifications that a client is slow to read, the first are kept, and the answer always",
  async (_, count, bytes, kept) => {
    const pending = createPending(ABOUT);
    for (let nth = 0; nth < count; nth++) pending.push({ method: "notifications/progress", nth }, bytes);
    pending.push({ result: {}, nth: "answer" }, 1024 * KIB);
    pending.end();
    expect(await numbersOf(pending)).toEqual([...Array.from({ length: kept }, (_, nth) => nth), "answer"]);
  },
);

it("notifications that are read are followed by others without a bound", async () => {
  const pending = createPending(ABOUT);
  const messages = pending.messages();
  for (let nth = 0; nth < 3000; nth++) {
    pending.push({ method: "notifications/progress", nth }, 200 * KIB);
    expect((await messages.next()).value).toMatchObject({ nth });
  }
});
