import { describe, expect, it } from "vitest";
import { createLog } from "../../src/system/log.ts";

/** Returns a log, and the lines it has written. */
function logOf() {
  const lines: string[] = [];
  return { lines, log: createLog("info", { write: (line) => void lines.push(line) }) };
}

describe("a line of the log", () => {
  it("is cut, and says so, where an error's message has 50 MB", () => {
    const { lines, log } = logOf();
    const err = Object.assign(new Error(`went wrong ${"x".repeat(50 << 20)}`), { code: "EBIG" });
    log.error({ requestId: "req_1", err }, "request failed");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThan(20_000);
    const { requestId, err: said, msg } = JSON.parse(lines[0] ?? "");
    expect([requestId, msg, said.type, said.code]).toEqual(["req_1", "request failed", "Error", "EBIG"]);
    expect(said.message).toMatch(/^went wrong x+… \(cut, of 52428811 characters\)$/);
    expect(said.stack).toMatch(/^Error: went wrong x+… \(cut, of \d+ characters\)$/);
  });

  it("is cut, and says so, where an object has 100,000 members", () => {
    const { lines, log } = logOf();
    const answer = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, index]));
    log.error({ requestId: "req_1", answer }, "an answer was not passed on");
    expect(lines[0]?.length).toBeLessThan(20_000);
    const said = JSON.parse(lines[0] ?? "");
    expect([said.level, said.requestId, said.msg]).toEqual(["error", "req_1", "an answer was not passed on"]);
    expect(said.answer).toMatch(/^\{"m0":0,.*… \(cut, of \d+ characters\)$/);
  });

  it("shows no part of a credential that the cut goes through", () => {
    const secret = `tak_${"0a".repeat(28)}b`;
    for (let before = 4000; before < 4200; before += 7) {
      const { lines, log } = logOf();
      log.error({ why: `${"x ".repeat(before / 2)}${secret}${" y".repeat(50_000)}` });
      expect(lines[0]).not.toContain("0a0a0a");
    }
  });

  it("is whole where nothing in it is long", () => {
    const { lines, log } = logOf();
    const err = new Error("x".repeat(10_000));
    log.error({ err });
    expect(JSON.parse(lines[0] ?? "").err.message).toBe(err.message);
  });
});
