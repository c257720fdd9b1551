import { expect, it } from "vitest";
import { letters } from "../../../src/accounts/sign-in/letters.ts";

const URL = "https://plane.example/sign-in?link=tsl_1";
const TO = "ada@example.com";

it("an invitation says who invites, where that is known", () => {
  const known = letters.invitation(TO, URL, { account: "Acme", by: "bob@example.com" });
  expect(known.text).toMatch(/^bob@example\.com has invited you to the account “Acme”\. Open this link/);
  const unknown = letters.invitation(TO, URL, { account: "Acme" });
  expect(unknown.text).toMatch(/^You are invited to the account “Acme”\. Open this link/);
});

it("every letter goes to its address and holds its link on a line of its own", () => {
  const all = [
    letters.signIn(TO, URL),
    letters.signUp(TO, URL),
    letters.reset(TO, URL),
    letters.invitation(TO, URL, { account: "Acme" }),
  ];
  expect(new Set(all.map(({ subject }) => subject)).size).toBe(all.length);
  for (const { to, text } of all) {
    expect(to).toBe(TO);
    expect(text.split("\n")).toContain(URL);
  }
});
