import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { createHeldMessages } from "../../src/server/mcp/held-messages.ts";
import type { Exchange } from "../../src/server/pipeline/exchange.ts";

const KIB = 1024;

/** Holds messages of accounts as requests would. */
function holderOf(maxBytes: number) {
  const holdMessage = createHeldMessages(maxBytes);
  return (account: string, text: string) => {
    const res = new EventEmitter();
    holdMessage({ res, identity: { account: { id: account } } } as unknown as Exchange, Buffer.from(text));
    return () => void res.emit("close");
  };
}

const BUSY = expect.objectContaining({ error: "overloaded" });

describe("messages of MCP that are under way", () => {
  it("are refused once an account's take more than its share of all, until one of them is over", () => {
    const hold = holderOf(200 * KIB);
    const end = hold("acc_1", "x".repeat(100 * KIB));
    expect(() => hold("acc_1", "x".repeat(20 * KIB))).toThrow(BUSY);
    hold("acc_1", "short");
    hold("acc_2", "x".repeat(20 * KIB));
    end();
    hold("acc_1", "x".repeat(20 * KIB));
  });

  it.each(["€", "\\u20ac"])("count twice with characters of two bytes, as %s", (character) => {
    const hold = holderOf(200 * KIB);
    hold("acc_1", character + "x".repeat(45 * KIB));
    expect(() => hold("acc_1", "x".repeat(20 * KIB))).toThrow(BUSY);
  });
});
