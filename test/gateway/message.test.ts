import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMessage } from "../../src/gateway/message.ts";

const read = (json: string) => readMessage(JSON.parse(json), json);

describe("readMessage()", () => {
  it("passes on a message as it was read, with any JSON in it", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.oneof(fc.integer(), fc.string()),
        (given, id) => {
          const message = {
            jsonrpc: "2.0",
            id,
            method: "tools/call",
            params: { name: "echo", arguments: given },
          };
          const json = JSON.stringify(message);
          const { text, subject, kind } = read(json);
          expect(JSON.parse(text)).toEqual(JSON.parse(json));
          expect([subject, kind]).toEqual(["echo", "request"]);
        },
      ),
    );
  });

  it("keeps the last of two members with the same name, for the gate and the upstream", () => {
    const { text, subject } = read(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"allowed","na\\u006de":"secret"}}',
    );
    expect([JSON.parse(text).params, subject]).toEqual([{ name: "secret" }, "secret"]);
  });

  it.each([
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', "no batch"],
    ["no JSON-RPC", '{"id":1,"method":"ping"}', "JSON-RPC 2.0"],
    ["no object", '"ping"', "JSON-RPC 2.0"],
    ["a member that is none", '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"x"}', '"Method"'],
    [
      "a name that a careless parser takes for the other",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"allowed","Name":"secret"}}',
      'taken for "name"',
    ],
    [
      "one that folds to it",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","argument\\u017f":{}}}',
      'taken for "arguments"',
    ],
    ["no tool", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', "params.name"],
    [
      "a tool that is no text",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["a"]}}',
      "params.name",
    ],
    [
      "a call that wants no answer",
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"}}',
      "tools/call needs an id",
    ],
    ["params in order", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', "an object"],
    ["an id that is none", '{"jsonrpc":"2.0","id":null,"method":"ping"}', "id"],
    ["an id without end", `{"jsonrpc":"2.0","id":"${"x".repeat(257)}","method":"ping"}`, "256"],
    ["an id that is not whole", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', "whole"],
    ["a question that answers", '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', "either"],
    ["an answer of both kinds", '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', "result or error"],
    [
      "a number that JavaScript would round",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":12345678901234567890}}}',
      "12345678901234567890",
    ],
    [
      "a number beyond all numbers",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":1e999}}}',
      "1e999",
    ],
    [
      "a fraction beyond all numbers",
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":${"9".repeat(400)}.5}}}`,
      "99999",
    ],
  ])("refuses %s", (_, json, words) => {
    expect(() => read(json)).toThrow(expect.objectContaining({ error: "invalid_request" }));
    expect(() => read(json)).toThrow(words);
  });

  it("leaves a subscription without params to the upstream, and refuses a uri that is not a string", () => {
    expect(read('{"jsonrpc":"2.0","id":1,"method":"resources/subscribe"}').subject).toBeUndefined();
    expect(() => read('{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":1}}')).toThrow(
      "uri",
    );
  });

  it.each([
    ["completion/complete", { ref: { type: "ref/resource", uri: "x".repeat(8193) } }, "params.ref"],
    ["completion/complete", { ref: { type: "ref/prompt", name: "x".repeat(257) } }, "params.ref"],
    ["subscriptions/listen", { notifications: { resourceSubscriptions: ["x".repeat(8193)] } }, "each"],
    [
      "subscriptions/listen",
      { notifications: { resourceSubscriptions: Array(1_000).fill("x:") } },
      "together",
    ],
  ])("refuses a %s whose names take long to be held against the gates", (method, params, words) => {
    const given = (those: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: those });
    expect(() => read(given(params))).toThrow(words);
    expect(read(given({ ref: { uri: "x:" }, notifications: { resourceSubscriptions: ["x:"] } })).method).toBe(
      method,
    );
  });

  it("accepts large numbers within strings", () => {
    const digits = `${'\\"'.repeat(100_000)}12345678901234567890 1e999`;
    const json = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"t":"${digits}"}}}`;
    expect(JSON.parse(read(json).text)).toEqual(JSON.parse(json));
  });
});
