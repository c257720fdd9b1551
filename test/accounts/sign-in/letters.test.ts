import { expect, it } from "vitest";
import { letters } from "../../../src/accounts/sign-in/letters.ts";

const URL = "https://plane.example/sign-in?link=tsl_1";
const TO = "ada@example.com";

it("an invitation names the inviter if known", () => {
  const known = letters.invitation(TO, URL, { account: "Acme", by: "bob@example.com" });
  expect(known.text).toMatch(/^bob@example\.com has invited you to the account “Acme”\. Open this link/);
  const unknown = letters.invitation(TO, URL, { account: "Acme" });
  expect(unknown.text).toMatch(/^You are invited to the account “Acme”\. Open this link/);
});

it("an invitation contains no name that a mail program would turn into a link", () => {
  const account = "Your invoice: https://evil.example/pay or evil.example";
  const { text } = letters.invitation(TO, URL, { account, by: "Pay at evil.example" });
  expect(text.replace(URL, "")).not.toMatch(/\w\.\w|:\/\/|@/);
  expect(letters.invitation(TO, URL, { account: "Müller & Söhne 株式会社" }).text).toContain(
    "“Müller & Söhne 株式会社”",
  );
  const long = letters.invitation(TO, URL, { account: "a very long tale ".repeat(15) });
  expect(long.text.split("\n")[0]?.length).toBeLessThan(160);
});

it("every letter goes to its address and has its link on a separate line", () => {
  const all = [
    letters.signIn(TO, URL),
    letters.signUp(TO, URL),
    letters.reset(TO, URL),
    letters.invitation(TO, URL, { account: "Acme" }),
  ];
  expect(all.map(({ subject }) => subject)).toEqual([
    "Your sign-in link",
    "Finish signing up",
    "A link to sign in again",
    "You are invited",
  ]);
  for (const { to, text } of all) {
    expect(to).toBe(TO);
    expect(text.split("\n")).toContain(URL);
  }
});
