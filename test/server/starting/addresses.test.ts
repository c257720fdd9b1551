import { describe, expect, it, onTestFinished } from "vitest";
import { createServer } from "../../../src/index.ts";
import { checkAddress } from "../../../src/server/starting/addresses.ts";
import { checkHost } from "../../../src/server/starting/listening.ts";
import { startApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { quietLog } from "../support/quiet-log.ts";

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

  it("lose their slash at the end, since paths are appended to them", async () => {
    const addresses = { baseUrl: "https://h.example/", verificationUrl: "https://verify.example//" };
    const server = await createServer({ store: temporaryDirectory(), log: "silent", ...addresses });
    onTestFinished(() => server.close());
    expect(server.url).toBe("https://h.example");
    expect(server.signInUrl).toMatch(/^https:\/\/verify\.example\/sign-in\?/);
  });

  it.each([
    ["https://h.example", 0],
    ["https://h.example/control", 1],
  ])("warn of a path, at which no pages lie: %s", async (baseUrl, warnings) => {
    const warned: string[] = [];
    const log = quietLog({ warn: (_: object, text = "") => void warned.push(text) });
    const server = await createServer({ store: temporaryDirectory(), baseUrl, log });
    onTestFinished(() => server.close());
    expect(warned.filter((text) => text.includes("base URL without a path"))).toHaveLength(warnings);
  });
});

describe("--trust-proxy", () => {
  it.each([
    ["1", 0],
    ["10.0.0.0/8, fd00::/8", 0],
    ["10.0.0.0/8,0.0.0.0/0", 1],
    ["::/0", 1],
  ])("warns if it makes every client a proxy: %s", async (trustProxy, warnings) => {
    const warned: string[] = [];
    const log = quietLog({ warn: (_: object, text = "") => void warned.push(text) });
    const server = await createServer({ store: temporaryDirectory(), trustProxy, log });
    onTestFinished(() => server.close());
    expect(warned.filter((text) => text.includes("everybody is believed"))).toHaveLength(warnings);
  });

  it.each([
    [{ baseUrl: "https://h.example" }, 1],
    [{ baseUrl: "https://h.example", trustProxy: "1" }, 0],
    [{ baseUrl: "http://h.example" }, 0],
    [{}, 0],
  ])("is missed behind a proxy, which an https address means: %j", async (options, warnings) => {
    const warned: string[] = [];
    const log = quietLog({ warn: (_: object, text = "") => void warned.push(text) });
    const server = await createServer({ store: temporaryDirectory(), log, ...options });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    expect(warned.filter((text) => text.includes("count as one address"))).toHaveLength(warnings);
  });
});

describe("checkHost()", () => {
  it.each(["127.0.0.1", "localhost", "::1", "[::1]"])("takes %s", (host) => {
    expect(() => checkHost({ host, port: 0, allowRemote: false })).not.toThrow();
  });

  it.each(["0.0.0.0", "[::]", "control.example.com"])("refuses %s unless it is meant", (host) => {
    const address = { host, port: 0 };
    expect(() => checkHost({ ...address, allowRemote: false })).toThrow("would let other machines in");
    expect(() => checkHost({ ...address, allowRemote: true })).not.toThrow();
  });
});
