import { describe, expect, it } from "vitest";
import { createGates } from "../../src/gateway/gates.ts";
import { readMessage } from "../../src/gateway/message.ts";

const GATE = { gate: "audit_logs" };
const gates = createGates(
  {
    name: "up",
    url: "https://up.example/mcp",
    resources: { "vault://*": GATE, "https://files.example/secret/*": GATE },
  },
  { tiers: [], upgradeUrl: undefined },
);
const free = { plan: "free", features: [] };
const lackOf = (uri: string, rights = free) => {
  const message = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } };
  return gates.lackOf(readMessage(message, JSON.stringify(message)), rights);
};

describe("the gate of a resource", () => {
  it.each([
    "vault://a",
    "VAULT://a",
    " vault://a",
    "va\tult://a",
    "vault://a#part",
    "vaul%74://a",
    "https://Files.example/secret/a",
    "https://files.example:443/secret/a",
    "https:\\\\files.example\\secret/a",
    "https://files.example/open/../secret/a",
    "https://files.example/open/%2e%2e/secret/a",
    "https://files.example/%73ecret/a",
    "https://files.example/open/..%2fsecret/a",
    "https://files.example/open%2F..%2Fsecret/a",
    "https://files.example/open/%252e%252e/secret/a",
    "https://files.example//secret/a",
    "https://files.example/open/..//secret//a",
    "vault:%2f%2fa",
  ])("applies to every spelling of the URI, as %s", async (uri) => {
    expect((await lackOf(uri))?.gate).toBe("audit_logs");
    expect(await lackOf(uri, { plan: "top", features: ["audit_logs"] } as never)).toBeUndefined();
  });

  it.each([
    "https://files.example/open/a",
    "vaults://a",
    "https://files.example/open?secret/a",
    "%",
    "no URI",
  ])("does not apply to %s", async (uri) => expect(await lackOf(uri)).toBeUndefined());
});

describe("gates", () => {
  /** Resolves with how often others had their turn meanwhile. */
  const turnsDuring = async (work: Promise<unknown>) => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await work;
    isOver = true;
    return turns;
  };

  it("leave others their turn while a long list is looked through, and keep its order", async () => {
    const uris = Array.from({ length: 5000 }, (_, at) => `${at % 3 === 0 ? "vault" : "open"}://${at}`);
    const result = { resources: uris.map((uri) => ({ uri })) };
    const filtered = gates.filter("resources/list", result, free);
    expect(await turnsDuring(filtered)).toBeGreaterThan(10);
    const kept = uris.filter((uri) => uri.startsWith("open"));
    expect((await filtered).resources).toEqual(kept.map((uri) => ({ uri })));
  });

  it("leave others their turn while many URIs are subscribed to, the last of which the plan lacks", async () => {
    const uris = [...Array.from({ length: 700 }, (_, at) => `open://${at}/%2`), "vault://a"];
    const params = { notifications: { resourceSubscriptions: uris } };
    const message = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params };
    const lack = gates.lackOf(readMessage(message, JSON.stringify(message)), free);
    expect(await turnsDuring(lack)).toBeGreaterThan(5);
    expect((await lack)?.message).toContain('"vault://a"');
  });
});
