import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BadBaseUrl } from "../../../src/client/errors.ts";
import { fileNameOf, normaliseBaseUrl } from "../../../src/client/transport/base-url.ts";
import { isLoopback } from "../../../src/system/network/loopback.ts";

describe("normaliseBaseUrl", () => {
  it.each([
    ["https://Control.Example.com/", "https://control.example.com"],
    ["https://example.com:443/tools//", "https://example.com/tools"],
    ["http://127.0.0.1:4242", "http://127.0.0.1:4242"],
    ["http://127.1:80/", "http://127.0.0.1"],
    ["http://127.100.20.3:4242", "http://127.100.20.3:4242"],
    ["http://localhost:4242/", "http://localhost:4242"],
    ["  http://[0:0:0:0:0:0:0:1]:4242/ ", "http://[::1]:4242"],
  ])("turns %s into %s", (text, normal) => {
    expect(normaliseBaseUrl(text)).toBe(normal);
    expect(normaliseBaseUrl(normal)).toBe(normal);
  });

  it.each([
    ["http://example.com", "in the clear"],
    ["http://127.0.0.1.example.com", "in the clear"],
    ["http://localhost.example.com", "in the clear"],
    ["http://192.168.1.2:4242", "in the clear"],
    ["http://0.0.0.0:4242", "in the clear"],
    ["https://user:word@example.com", "user name or password"],
    ["https://example.com/?a=b", "no query"],
    ["https://example.com/#a", "no fragment"],
    ["ftp://example.com", "not an http"],
    ["https://a!b.example.com", "names no host"],
    ["example.com", "not an http"],
    ["", "not an http"],
  ])("refuses %s", (text, reason) => {
    expect(() => normaliseBaseUrl(text)).toThrow(BadBaseUrl);
    expect(() => normaliseBaseUrl(text)).toThrow(reason);
  });

  it("never lets plain http leave this machine", () => {
    fc.assert(
      fc.property(fc.webAuthority({ withPort: true, withIPv4: true, withIPv6: true }), (authority) => {
        try {
          const url = new URL(normaliseBaseUrl(`http://${authority}`));
          expect(isLoopback(url.hostname)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(BadBaseUrl);
        }
      }),
    );
  });
});

describe("fileNameOf", () => {
  it("returns distinct plain file names for similar URLs", () => {
    const names = ["https://a.example/b", "https://a.example/c", "https://a.example", "http://[::1]:80"].map(
      fileNameOf,
    );
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9.-]+$/);
  });
});
