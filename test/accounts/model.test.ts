import { describe, expect, it } from "vitest";
import { accountsCollections, emailKey } from "../../src/accounts/model.ts";
import { ROLES, scopesOf } from "../../src/accounts/roles.ts";

it("what is kept lies under the names that every release before looked for it under", () => {
  expect(accountsCollections.map(({ name }) => name)).toEqual([
    "instances",
    "accounts",
    "account_uses",
    "sign_in_counts",
    "closed_accounts",
    "people",
    // Collections of older versions, whose users had one account each. src/accounts/adopt-people.ts migrates them.
    "user_emails",
    "passkey_owners",
    "identity_owners",
    "credentials",
    "sign_in_links",
    "provider_attempts",
    "passkey_challenges",
    "account_user_emails",
    "users",
    "projects",
    "api_keys",
    "token_families",
    "browser_sessions",
    "ended_keys",
    "ended_key_owners",
  ]);
});

describe("a user", () => {
  it("is found by the address, whatever its case and the blanks around it", () => {
    const key = emailKey("ada@example.com");
    for (const typed of ["Ada@Example.COM", " ada@example.com\n"]) expect(emailKey(typed)).toBe(key);
    expect(emailKey("ada@example.org")).not.toBe(key);
    // Ids must not reveal addresses to a reader of the store's files.
    expect(key).not.toContain("ada");
  });

  it("may read, a member write, an admin and an owner administer, and who owns the instance operate it", () => {
    expect(scopesOf({ role: "viewer" })).toEqual(["read"]);
    expect(scopesOf({ role: "member" })).toEqual(["read", "write"]);
    expect(scopesOf({ role: "admin" })).toEqual(["read", "write", "admin"]);
    expect(scopesOf({ role: "owner" })).toEqual(["read", "write", "admin"]);
    for (const role of ROLES) {
      expect(scopesOf({ role, operator: true })).toEqual(["read", "write", "admin", "operator"]);
    }
  });
});
