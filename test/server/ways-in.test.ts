import { describe, expect, it } from "vitest";
import { admits, parseSignUp } from "../../src/accounts/sign-in/sign-up.ts";
import { waysIn } from "../../src/server/ways-in.ts";

const MAIL = { smtpUrl: "smtp://127.0.0.1:1025", from: "sign-in@example.com" };

describe("who may sign up", () => {
  it.each([
    ["open", "ada@anywhere.example", true],
    ["open", undefined, true],
    ["invite", "ada@example.com", false],
    ["domain:example.com", "ada@EXAMPLE.com", true],
    ["domain:example.com, example.org", "ada@example.org", true],
    ["domain:example.com", undefined, false],
    ["domain:example.com", "ada@sub.example.com", false],
    ["domain:example.com", "ada@notexample.com", false],
    ["domain:example.com", "ada@example.com@evil.example", false],
    ["domain:example.com", "ada@example.com.evil.example", false],
  ])("by %j: %j is let in: %s", (rule, email, letIn) => {
    expect(admits(parseSignUp(rule), email)).toBe(letIn);
  });

  it.each([
    "",
    "closed",
    "domain:",
    "domain:@example.com",
    "domain:example.com,",
    "domain:*.example.com",
    "OPEN",
  ])("is not said by %j", (rule) => {
    expect(() => parseSignUp(rule)).toThrow("--sign-up takes open, invite, or the domains");
  });

  it("needs a way to prove who one is", () => {
    expect(() => waysIn({ signUp: "open" })).toThrow("--sign-up open would let nobody in");
    expect(() => waysIn({ signUp: "domain:example.com" })).toThrow("would let nobody in");
    expect(waysIn({ signUp: "open", mail: MAIL }).signUp).toBe("open");
    expect(waysIn({}).signUp).toBe("invite");
  });
});
