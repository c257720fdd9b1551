import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { LineTransport } from "../../src/mcp/line-transport.ts";

/** Sends lines. Returns the messages that are received and those that are sent back. */
async function spoken(...lines: string[]) {
  return written(lines.map((line) => `${line}\n`).join(""));
}

/** Sends all of a session's input. */
async function written(text: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport(input, output, 1 << 20);
  const heard: unknown[] = [];
  const faults: string[] = [];
  transport.onmessage = (message) => heard.push(message);
  transport.onerror = ({ message }) => faults.push(message);
  await transport.start();
  input.end(text);
  await transport.ended;
  const said = String(output.read() ?? "").trim();
  return { heard, faults, told: said === "" ? [] : said.split("\n").map((line) => JSON.parse(line)) };
}

describe("LineTransport", () => {
  it("waits for room for a long message, and leaves no listener behind", async () => {
    const output = new PassThrough();
    const transport = new LineTransport(new PassThrough(), output, 1 << 20);
    const before = output.listenerCount("close");
    let isSent = false;
    const sent = transport.send({ jsonrpc: "2.0", method: "x".repeat(100_000) }).then(() => {
      isSent = true;
    });
    await new Promise(setImmediate);
    expect(isSent).toBe(false);
    output.resume();
    await sent;
    expect(output.listenerCount("close")).toBe(before);
  });

  it.each(["garbage", "{", '{"jsonrpc":"2.0","id":1', "\u00ff\u00fe"])(
    "answers invalid JSON with a parse error: %s",
    async (line) => {
      const { heard, told } = await spoken(line, '{"jsonrpc":"2.0","id":1,"method":"ping"}');
      expect(told).toEqual([{ jsonrpc: "2.0", error: { code: -32700, message: expect.any(String) } }]);
      expect(heard).toMatchObject([{ id: 1, method: "ping" }]);
    },
  );

  // The sender waits for an answer with that id, and would wait forever.
  it.each<[string, string | number]>([
    ['{"jsonrpc":"2.0","id":7,"method":"tools/list","params":null}', 7],
    ['{"jsonrpc":"2.0","id":"a","method":"tools/list","params":[]}', "a"],
    ['{"jsonrpc":"1.0","id":0,"method":"ping"}', 0],
    ['{"id":3,"method":"ping"}', 3],
  ])("answers an invalid request with an error under the request's id: %s", async (line, id) => {
    const { heard, told } = await spoken(line);
    expect(told).toEqual([{ jsonrpc: "2.0", id, error: { code: -32600, message: expect.any(String) } }]);
    expect(heard).toEqual([]);
  });

  it.each([
    "null",
    "5",
    "{}",
    "[]",
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"result":5}',
    '{"jsonrpc":"2.0","id":1,"method":5}',
  ])("answers JSON that is not a request with an error without an id: %s", async (line) => {
    const { heard, told } = await spoken(line);
    expect(told).toEqual([{ jsonrpc: "2.0", error: { code: -32600, message: expect.any(String) } }]);
    expect(heard).toEqual([]);
  });

  it("reads a last line without its end, and lines as Windows writes them", async () => {
    const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    const { heard, told } = await written(`\ufeff${ping(1)}\r\n${ping(2)}\r\n\r\n${ping(3)}`);
    expect(heard).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(told).toEqual([]);
    expect((await written(ping(4).slice(0, 20))).told).toMatchObject([{ error: { code: -32700 } }]);
  });

  it("says in one line what was wrong and which message it was", async () => {
    const { faults } = await spoken("nope", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]');
    expect(faults).toEqual([
      'Parse error: each line is to be one JSON-RPC 2.0 message; this one begins "nope"',
      'Invalid request: each line is to be one JSON-RPC 2.0 message, no batch; this one begins "[{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"ping\\"}]"',
    ]);
  });
});
