import { describe, expect, it } from "vitest";
import { accountsContract } from "../../src/accounts/contract.ts";
import { keysContract } from "../../src/accounts/credentials/keys-contract.ts";
import { projectsContract } from "../../src/accounts/projects/contract.ts";

const { createKey, updateKey } = keysContract;
const { updateProject } = projectsContract;
const { createAccount, updateAccount } = accountsContract;

const inputs = [
  ["of a new key", createKey, { scopes: ["read"] }],
  ["of a key", updateKey, { keyId: "key_1" }],
  ["of a project", updateProject, { projectId: "shop" }],
  ["of a new account", createAccount, { ownerEmail: "ada@example.com", plan: "free" }],
  ["of an account", updateAccount, { accountId: "acc_1" }],
] as const;

describe.each(inputs)("the name %s", (_, { input }, others) => {
  const isAccepted = (name: string) => input.safeParse({ ...others, name }).success;

  it.each(["\u200b", "\u2060\ufe0f", "\u3164", "Acme\u202emoc.live", "\u2066Acme", "one\u2028line"])(
    "cannot be the invisible, reordering or two-line text %j",
    (name) => expect(isAccepted(name)).toBe(false),
  );

  it.each([
    "ci",
    "القاهرة",
    "zero\u200bwidth",
    "👩‍👩‍👧‍👦",
    "e\u0301".repeat(20),
    "x".repeat(256),
    "=1+1",
    "<b>",
  ])("can be %j", (name) => expect(isAccepted(name)).toBe(true));
});
