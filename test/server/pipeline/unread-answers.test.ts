import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../src/server/pipeline/exchange.ts";
import { createUnreadAnswers } from "../../../src/server/unread-answers.ts";
import { fakeClock } from "../../support/clock.ts";

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
  const look = () => {
    clock.advance(1000);
    unread.bound();
  };
  /** An answer of which so many bytes are unread. */
  function answer(address: string, bytes: number, { socket = connection(), isEnded = true } = {}) {
    const res = { writableLength: bytes, writableEnded: isEnded };
    const startedAt = clock.monotonic();
    const exchange = { address, startedAt, req: { socket }, res } as unknown as Exchange;
    unread.follow(exchange);
    return { socket, close: () => unread.closed(exchange) };
  }
  return { clock, look, answer };
}

describe("unread answers", () => {
  it("stay while all together hold no more than they may", () => {
    const { look, answer } = start();
    const all = [answer("a", 60), answer("b", 40)];
    look();
    expect(all.map(({ socket }) => socket.isCut)).toEqual([false, false]);
  });

  it("end with the longest connection of the sender that leaves most, until the rest has room", () => {
    const { look, answer } = start();
    const single = answer("honest", 50);
    const many = [20, 30, 20].map((bytes) => answer("many", bytes));
    look();
    expect(single.socket.isCut).toBe(false);
    expect(many.map(({ socket }) => socket.isCut)).toEqual([false, true, false]);
  });

  it("count together on one connection, and no more once they are closed", () => {
    const { look, answer } = start();
    const socket = connection();
    const pipelined = [60, 60].map((bytes) => answer("a", bytes, { socket }));
    const other = answer("a", 40);
    for (const { close } of pipelined) close();
    look();
    expect([socket.isCut, other.socket.isCut]).toEqual([false, false]);
    for (const bytes of [40, 30]) answer("a", bytes, { socket });
    look();
    expect([socket.isCut, other.socket.isCut]).toEqual([true, false]);
  });

  it("in parts that wait for long are eight of a sender, the latest", () => {
    const { clock, look, answer } = start();
    const isEnded = false;
    const waiting = Array.from({ length: 9 }, () => answer("a", 1, { isEnded }));
    const others = [answer("b", 1, { isEnded }), answer("a", 1)];
    look();
    expect(waiting.some(({ socket }) => socket.isCut)).toBe(false);
    clock.advance(10_000);
    look();
    expect(waiting.map(({ socket }) => socket.isCut)).toEqual([true, ...Array(8).fill(false)]);
    expect(others.some(({ socket }) => socket.isCut)).toBe(false);
  });
});
