import { describe, expect, it } from "vitest";
import { admits, inWords, parseSignUp } from "../../../src/accounts/sign-in/sign-up.ts";

describe("sign-up rules", () => {
  it.each([
    ["open", "ada@anywhere.example", true],
    ["open", undefined, true],
    ["invite", "ada@example.com", false],
    ["domain:example.com", "ada@EXAMPLE.com", true],
    ["domain:example.com, example.org", "ada@example.org", true],
    ["domain:bücher.example", "ada@xn--bcher-kva.example", true],
    ["domain:example.com", undefined, false],
    ["domain:example.com", "ada@sub.example.com", false],
    ["domain:example.com", "ada@notexample.com", false],
    ["domain:example.com", "ada@example.com@evil.example", false],
    ["domain:example.com", "ada@example.com.evil.example", false],
  ])("with %j admit %j: %s", (rule, email, letIn) => {
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
  ])("refuse the invalid rule %j", (rule) => {
    expect(() => parseSignUp(rule)).toThrow("signUp or --sign-up takes open, invite, or the domains");
  });

  it("accept any number of valid domain names, and no others", () => {
    const label = "a".repeat(60);
    const longest = [label, label, label, label, "b".repeat(9)].join(".");
    expect(longest).toHaveLength(253);
    for (const domain of [longest, "a.b", "1.example", "x-y.example", "localhost"]) {
      expect(admits(parseSignUp(`domain:other.example,${domain}`), `ada@${domain}`), domain).toBe(true);
    }
    for (const domain of [
      `b${longest}`,
      "-a.example",
      "a-.example",
      "a..b",
      "a.example.",
      "ex ample",
      "ü_.example",
    ]) {
      expect(() => parseSignUp(`domain:other.example,${domain}`), domain).toThrow(domain);
    }
    expect(parseSignUp("domain: Example.COM ,example.org")).toEqual({
      domains: ["example.com", "example.org"],
    });
    expect(() => parseSignUp("domain:a.example\n,")).toThrow("none of these");
    expect(() => parseSignUp("domains:a.example")).toThrow("none of these");
  });

  it("are described in words by inWords()", () => {
    expect(inWords("open")).toBe("open to everybody");
    expect(inWords("invite")).toBe("by invitation alone");
    expect(inWords(parseSignUp("domain:a.example,b.example"))).toBe(
      "by invitation, and for addresses of a.example, b.example",
    );
  });
});
