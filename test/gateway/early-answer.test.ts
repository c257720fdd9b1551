import { describe, expect, it } from "vitest";
import { earlyAnswer } from "../../src/gateway/upstreams/early-answer.ts";
import { createPending } from "../../src/gateway/upstreams/pending.ts";
import { fakeClock } from "../support/clock.ts";

const PROGRESS = { method: "notifications/progress", params: { progressToken: 1, progress: 1 } };
const ANSWER = { id: 1, result: {} };

function asked() {
  const clock = fakeClock();
  const pending = createPending({ id: 1, method: "tools/call", progressToken: 1, owner: "" });
  return { clock, pending, early: earlyAnswer(pending.messages(), clock) };
}

async function all(early: Awaited<ReturnType<typeof earlyAnswer>>) {
  if (!("messages" in early)) return early;
  const messages = [];
  for await (const message of early.messages) messages.push(message);
  return messages;
}

describe("earlyAnswer()", () => {
  it("is the answer if nothing comes before it", async () => {
    const { pending, early } = asked();
    pending.push(ANSWER, 100);
    pending.end();
    expect(await early).toEqual({ answer: ANSWER });
  });

  it("is all messages, as they come, if progress is reported first", async () => {
    const { pending, early } = asked();
    pending.push(PROGRESS, 100);
    const streamed = all(await early);
    pending.push(ANSWER, 100);
    pending.end();
    expect(await streamed).toEqual([PROGRESS, ANSWER]);
  });

  it("is all messages if none comes for ten seconds", async () => {
    const { clock, pending, early } = asked();
    clock.advance(10_000);
    const streamed = all(await early);
    pending.push(ANSWER, 100);
    pending.end();
    expect(await streamed).toEqual([ANSWER]);
  });

  it("fails as the messages do, before they are read and afterwards", async () => {
    const { pending, early } = asked();
    pending.fail(new Error("gone"));
    await expect(early).rejects.toThrow("gone");
    const later = asked();
    later.clock.advance(10_000);
    const streamed = all(await later.early);
    later.pending.fail(new Error("gone"));
    await expect(streamed).rejects.toThrow("gone");
  });
});
