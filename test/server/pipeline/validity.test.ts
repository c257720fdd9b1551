import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import type { Authenticated } from "../../../src/accounts/credentials/credentials.ts";
import type { Caller } from "../../../src/contract/caller.ts";
import { Problem } from "../../../src/contract/problem.ts";
import { validityOf } from "../../../src/server/pipeline/authenticate.ts";

const KEY: Caller["credential"] = {
  kind: "api_key",
  id: "key_1",
  scopes: ["read", "write"],
  tools: ["usage.*"],
};

function held(credential: Partial<Caller["credential"]>): Authenticated {
  const account = { id: "acc_1", name: "Acme", plan: "team", createdAt: 0 };
  return { account, userId: "usr_1", credential: { ...KEY, ...credential } };
}

it.each<[string, () => Authenticated | undefined, boolean]>([
  ["as it was", () => held({}), true],
  ["read anew from the store", () => held({ tools: ["usage.*"], scopes: ["read", "write"] }), true],
  ["revoked", () => undefined, false],
  ["bound to other tools", () => held({ tools: ["usage.track"] }), false],
  ["bound to a project", () => held({ projectId: "web" }), false],
  ["of fewer scopes", () => held({ scopes: ["read"] }), false],
  [
    "bound to another address",
    () => {
      throw new Problem("outside_binding", "not from here");
    },
    false,
  ],
])(
  "validityOf() decides by the current key whether a long answer continues: %s",
  async (_, found, expected) => {
    const isValid = validityOf({ authenticate: async () => found() });
    const req = { headers: { authorization: "Bearer tak_x" } } as unknown as IncomingMessage;
    const exchange = { req, address: "192.0.2.1", requestId: "req_1", identity: held({}) };
    expect(await isValid(exchange)).toBe(expected);
  },
);
