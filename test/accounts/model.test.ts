import { describe, expect, it } from "vitest";
import { accountsCollections } from "../../src/accounts/collections.ts";
import { emailKey } from "../../src/accounts/model.ts";
import { ROLES, scopesOf } from "../../src/accounts/roles.ts";

it("the collections of accounts keep the names that earlier releases used", () => {
  expect(accountsCollections.map(({ name }) => name)).toEqual([
    "instances",
    "accounts",
    "account_uses",
    "sign_in_counts",
    "closed_accounts",
    "plan_steps",
    "noted_exports",
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
    "removed_clients",
    "browser_sessions",
    "ended_keys",
    "ended_key_owners",
  ]);
});

describe("the model of a user", () => {
  it("maps an address to one key regardless of case, surrounding whitespace and how its domain is written", () => {
    const key = emailKey("ada@example.com");
    for (const typed of ["Ada@Example.COM", " ada@example.com\n"]) expect(emailKey(typed)).toBe(key);
    expect(emailKey("ada@example.org")).not.toBe(key);
    expect(emailKey("ada@BÜCHER.example")).toBe(emailKey("ada@xn--bcher-kva.example"));
    // Who signed up with a passkey is known by a name, which is no domain.
    expect(emailKey("Bücher")).not.toBe(emailKey("xn--bcher-kva"));
    // Ids must not reveal addresses to a reader of the store's files.
    expect(key).not.toContain("ada");
  });

  it("gives viewers read, members write, admins and owners admin, and the instance's owner operator", () => {
    expect(scopesOf({ role: "viewer" })).toEqual(["read"]);
    expect(scopesOf({ role: "member" })).toEqual(["read", "write"]);
    expect(scopesOf({ role: "admin" })).toEqual(["read", "write", "admin"]);
    expect(scopesOf({ role: "owner" })).toEqual(["read", "write", "admin"]);
    for (const role of ROLES) {
      expect(scopesOf({ role, operator: true })).toEqual(["read", "write", "admin", "operator"]);
    }
  });
});
