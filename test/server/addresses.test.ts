import { describe, expect, it } from "vitest";
import { checkAddress } from "../../src/server/listening.ts";
import { startApp } from "../support/app.ts";

describe("--base-url and --verification-url", () => {
  it.each([
    "https://control.example.com",
    "http://127.0.0.1:4242",
    "http://[::1]:80",
    "https://h.example/control",
  ])("accept %s", (address) => expect(() => checkAddress("--base-url", address)).not.toThrow());

  it.each([
    "ftp://h.example",
    "mailto:a@b.example",
    "file:///etc",
    "h.example",
    "",
    "https://user@h.example",
    "https://h.example?x=1",
    "https://h.example/?",
    "https://h.example/#f",
  ])('reject "%s"', (address) =>
    expect(() => checkAddress("--base-url", address)).toThrow("--base-url takes an http or https address"),
  );

  it("hide the password of a rejected address", () => {
    const shown = () => checkAddress("--base-url", "https://user:hunter2@h.example");
    expect(shown).toThrow("https://…@h.example");
    expect(shown).not.toThrow("hunter2");
  });

  it.each([
    ["baseUrl", "mailto:a@b.example", "--base-url takes"],
    ["verificationUrl", "https://h.example?x=1", "--verification-url takes"],
  ])("keep a server from starting if %s is %s", (name, address, message) =>
    expect(startApp({ [name]: address })).rejects.toThrow(message),
  );
});
