import { describe, expect, it } from "vitest";
import { accountsCollections, emailKey, scopesOf } from "../../src/accounts/model.ts";

it("what is kept lies under the names that every release before looked for it under", () => {
  expect(accountsCollections.map(({ name }) => name)).toEqual([
    "instances",
    "accounts",
    "user_emails",
    "credentials",
    "sign_in_links",
    "users",
    "projects",
    "api_keys",
    "token_families",
    "browser_sessions",
  ]);
});

describe("a user", () => {
  it("is found by the address, whatever its case and the blanks around it", () => {
    const key = emailKey("ada@example.com");
    for (const typed of ["Ada@Example.COM", " ada@example.com\n"]) expect(emailKey(typed)).toBe(key);
    expect(emailKey("ada@example.org")).not.toBe(key);
    // Who can read the store's files is not to find addresses in their names.
    expect(key).not.toContain("ada");
  });

  it("may read and write, an admin administer, and the owner of the instance operate it", () => {
    expect(scopesOf({ role: "member" })).toEqual(["read", "write"]);
    expect(scopesOf({ role: "admin" })).toEqual(["read", "write", "admin"]);
    for (const role of ["member", "admin"] as const) {
      expect(scopesOf({ role, operator: true })).toEqual(["read", "write", "admin", "operator"]);
    }
  });
});
