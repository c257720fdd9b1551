import { describe, expect, it } from "vitest";
import { checkAddress } from "../../src/server/listening.ts";
import { startApp } from "../support/app.ts";

describe("the address that a server is told it has", () => {
  it.each([
    "https://control.example.com",
    "http://127.0.0.1:4242",
    "http://[::1]:80",
    "https://h.example/control",
  ])("may be %s", (address) => expect(() => checkAddress("--base-url", address)).not.toThrow());

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
  ])('is not "%s"', (address) =>
    expect(() => checkAddress("--base-url", address)).toThrow("--base-url takes an http or https address"),
  );

  it("shows no password where it is refused", () => {
    const shown = () => checkAddress("--base-url", "https://user:hunter2@h.example");
    expect(shown).toThrow("https://…@h.example");
    expect(shown).not.toThrow("hunter2");
  });

  it.each([
    ["baseUrl", "mailto:a@b.example", "--base-url takes"],
    ["verificationUrl", "https://h.example?x=1", "--verification-url takes"],
  ])("keeps a server from starting where its %s is %s", (name, address, message) =>
    expect(startApp({ [name]: address })).rejects.toThrow(message),
  );
});
