import { expect, it } from "vitest";
import { requireScope } from "../../../src/server/pipeline/authenticate.ts";

type Held = Parameters<typeof requireScope>[0]["credential"]["scopes"];

function refusalOf(scopes: Held): string {
  const identity = { credential: { scopes } } as Parameters<typeof requireScope>[0];
  try {
    requireScope(identity, "admin", "https://control.example.com/.well-known/oauth-protected-resource");
  } catch (error) {
    return (error as Error).message;
  }
  return "let through";
}

it("says what is needed and what the credential has, if it has anything", () => {
  expect(refusalOf(["admin"])).toBe("let through");
  expect(refusalOf(["read", "write"])).toBe('This needs the scope "admin"; the credential has "read write".');
  expect(refusalOf([])).toBe(`This needs the scope "admin"; the credential has none of the API's.`);
});
