import { expect, it } from "vitest";
import { waysIn } from "../../../src/server/starting/ways-in.ts";

const MAIL = { smtpUrl: "smtp://127.0.0.1:1025", from: "sign-in@example.com" };

it("waysIn() refuses open sign-up without mail or a provider", () => {
  expect(() => waysIn({ signUp: "open" })).toThrow("--sign-up open would let nobody in");
  expect(() => waysIn({ signUp: "open" })).toThrow("http://localhost:<port>, so that browsers take passkeys");
  expect(() => waysIn({ signUp: "domain:example.com" })).toThrow(/would let nobody in.*--github\.$/);
  expect(waysIn({ signUp: "open", mail: MAIL }).signUp).toBe("open");
  expect(waysIn({}).signUp).toBe("invite");
});
