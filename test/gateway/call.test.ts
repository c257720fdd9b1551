import { describe, expect, it } from "vitest";
import { Problem } from "../../src/contract/problem.ts";
import { beginCall } from "../../src/gateway/calls/call.ts";
import type { MeteredCall } from "../../src/gateway/calls/call-meter.ts";
import { readMessage } from "../../src/gateway/message.ts";
import { UpstreamFailure } from "../../src/gateway/upstreams/upstream-port.ts";
import { quietLog } from "../server/support/quiet-log.ts";

const MESSAGE = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo" } };
const RESULT = { result: { content: [] } };

function begun() {
  const errors: unknown[] = [];
  const counted: [outcome: string, isSent: boolean][] = [];
  /** How much was counted when the call gave back the room that was kept for it. */
  const returned: number[] = [];
  const client = new AbortController();
  const metered = { message: readMessage(MESSAGE, JSON.stringify(MESSAGE)), upstream: "up" };
  const call = beginCall(metered as MeteredCall, {
    meter: {
      count: async (_, outcome, { isSent }) => void counted.push([outcome, isSent]),
      reserve: async () => () => void returned.push(counted.length),
    },
    log: quietLog({ error: (details: object) => void errors.push(details) }),
    signal: client.signal,
    stateless: false,
    onSettled: () => {},
  });
  return { call, client, counted, returned, errors };
}

describe("a call", () => {
  it("that its client leaves counts as sent only if it was", () => {
    const early = begun();
    early.client.abort();
    expect(early.counted).toEqual([["cancelled", false]]);
    const late = begun();
    late.call.sent();
    late.client.abort();
    expect(late.counted).toEqual([["cancelled", true]]);
  });

  it("gives back the room that was kept for it once it is counted, also if its client leaves before", async () => {
    const { call, client, returned } = begun();
    await call.admit();
    expect(returned).toEqual([]);
    await call.settle("ok");
    await expect.poll(() => returned).toEqual([1]);
    client.abort();
    expect(returned).toEqual([1]);

    const left = begun();
    left.client.abort();
    await left.call.admit();
    expect(left.returned.length).toBeGreaterThan(0);
  });

  it("whose answer is lost is logged as an error, unless its client has left", async () => {
    const { call, client, errors } = begun();
    client.abort();
    await call.failed(new Problem("invalid_request", "The connection ended before there was an answer."));
    expect(errors).toEqual([]);
    await call.failed(new TypeError("a bug"));
    expect(errors).toHaveLength(1);
  });

  it("that its client cancels before it is sent counts as sent if it is sent nevertheless", async () => {
    const { call, counted } = begun();
    call.cancel();
    expect(counted).toEqual([]);
    call.sent();
    expect(counted).toEqual([["cancelled", true]]);
    await call.read(RESULT);
    expect(counted).toHaveLength(1);
  });

  it("that its client cancels before it is sent, and that is never sent, does not count as sent", async () => {
    const { call, counted } = begun();
    call.cancel();
    await call.failed(new UpstreamFailure("cancelled", "The request was cancelled."));
    expect(counted).toEqual([["cancelled", false]]);
  });
});
