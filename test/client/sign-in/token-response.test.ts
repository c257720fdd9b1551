import { describe, expect, it } from "vitest";
import { UnexpectedAnswer } from "../../../src/client/errors.ts";
import { credentialOf, readTokenResponse } from "../../../src/client/sign-in/token-response.ts";

describe("token responses", () => {
  it("need an access token and may have unknown members", () => {
    expect(readTokenResponse({ access_token: "a", more: 1 })).toEqual({ access_token: "a", more: 1 });
    for (const body of [undefined, {}, { access_token: 1 }, { refresh_token: "r" }, "text"])
      expect(() => readTokenResponse(body)).toThrow(UnexpectedAnswer);
  });

  it("replace the named parts of a credential and keep the rest, except the expiry", () => {
    const before = { refreshToken: "r0", scope: "s0", expiresAt: 5 };
    expect(
      credentialOf({ access_token: "a", refresh_token: "r1", expires_in: 60, scope: "s1" }, before, 1000),
    ).toEqual({ accessToken: "a", refreshToken: "r1", expiresAt: 61_000, scope: "s1" });
    // The lifetime of an earlier token does not apply to the new one.
    expect(credentialOf({ access_token: "a" }, before, 1000)).toEqual({
      accessToken: "a",
      refreshToken: "r0",
      scope: "s0",
    });
    expect(credentialOf({ access_token: "a", expires_in: 0 }, before, 1000)).toMatchObject({
      expiresAt: 1000,
    });
  });
});
