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
  ])("applies to every spelling of the URI, as %s", (uri) => {
    expect(lackOf(uri)?.gate).toBe("audit_logs");
    expect(lackOf(uri, { plan: "top", features: ["audit_logs"] } as never)).toBeUndefined();
  });

  it.each([
    "https://files.example/open/a",
    "vaults://a",
    "https://files.example/open?secret/a",
    "%",
    "no URI",
  ])("does not apply to %s", (uri) => expect(lackOf(uri)).toBeUndefined());
});
