import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../../src/server/pipeline/exchange.ts";
import { createUnreadAnswers } from "../../../../src/server/pipeline/slow-clients/unread-answers.ts";
import { fakeClock } from "../../../support/clock.ts";

/** A connection, and whether it was cut. */
function connection() {
  return {
    isCut: false,
    destroy() {
      this.isCut = true;
    },
  };
}

function start(maxBytes = 100) {
  const clock = fakeClock();
  const unread = createUnreadAnswers(clock, maxBytes);
  const look = async () => {
    clock.advance(1000);
    await new Promise(setImmediate);
  };
  /** An answer of which so many bytes are unread. */
  function answer(address: string, bytes: number, { socket = connection(), isEnded = true, holds = 0 } = {}) {
    const res = { writableLength: bytes, writableEnded: isEnded };
    const startedAt = clock.monotonic();
    const exchange = { address, startedAt, req: { socket }, res, holds } as unknown as Exchange;
    const slot = unread.follow(exchange);
    return { socket, close: () => unread.free(slot) };
  }
  return { clock, look, answer };
}

describe("unread answers", () => {
  it("stay while all together hold no more than they may", async () => {
    const { look, answer } = start();
    const all = [answer("a", 60), answer("b", 40)];
    await look();
    expect(all.map(({ socket }) => socket.isCut)).toEqual([false, false]);
  });

  it("end with the longest connection of the sender that leaves most, until the rest has room", async () => {
    const { look, answer } = start();
    const single = answer("honest", 50);
    const many = [20, 30, 20].map((bytes) => answer("many", bytes));
    await look();
    expect(single.socket.isCut).toBe(false);
    expect(many.map(({ socket }) => socket.isCut)).toEqual([false, true, false]);
  });

  it("count together on one connection, and no more once they are closed", async () => {
    const { look, answer } = start();
    const socket = connection();
    const pipelined = [60, 60].map((bytes) => answer("a", bytes, { socket }));
    const other = answer("a", 40);
    for (const { close } of pipelined) close();
    await look();
    expect([socket.isCut, other.socket.isCut]).toEqual([false, false]);
    for (const bytes of [40, 30]) answer("a", bytes, { socket });
    await look();
    expect([socket.isCut, other.socket.isCut]).toEqual([true, false]);
  });

  it("count with what they are made from, written or not", async () => {
    const { look, answer } = start();
    const inParts = [1, 0].map((bytes) => answer("a", bytes, { isEnded: false, holds: 50 }));
    await look();
    expect(inParts.map(({ socket }) => socket.isCut)).toEqual([true, false]);
  });

  it("in parts that wait for long are eight of a sender, the latest", async () => {
    const { clock, look, answer } = start();
    const isEnded = false;
    const waiting = Array.from({ length: 9 }, () => answer("a", 1, { isEnded }));
    const others = [answer("b", 1, { isEnded }), answer("a", 1)];
    await look();
    expect(waiting.some(({ socket }) => socket.isCut)).toBe(false);
    clock.advance(10_000);
    await look();
    expect(waiting.map(({ socket }) => socket.isCut)).toEqual([true, ...Array(8).fill(false)]);
    expect(others.some(({ socket }) => socket.isCut)).toBe(false);
  });

  it("in parts are 32 of a sender, however shortly they wait", async () => {
    const { look, answer } = start();
    const waiting = Array.from({ length: 34 }, () => answer("a", 1, { isEnded: false }));
    await look();
    expect(waiting.map(({ socket }) => socket.isCut)).toEqual([true, true, ...Array(32).fill(false)]);
  });
});
