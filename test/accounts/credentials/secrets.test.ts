import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hashSecret,
  newSecret,
  type SecretKind,
  secretKind,
} from "../../../src/accounts/credentials/secrets.ts";

const kinds = fc.constantFrom<SecretKind>(
  "access_token",
  "refresh_token",
  "api_key",
  "session",
  "sign_in_link",
);
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const secretOf = (kind: SecretKind, chance: Uint8Array) =>
  newSecret(kind, { bytes: () => Buffer.from(chance) });

describe("secrets", () => {
  it("consist of a prefix, 256 bits and a checksum that secret scanners recognize", () => {
    fc.assert(
      fc.property(kinds, bytes, (kind, chance) => {
        expect(secretOf(kind, chance)).toMatch(/^(tat|trt|tak|tse|tsl)_[0-9a-z]{57}$/);
      }),
    );
  });

  it("reveal their kind by their prefix", () => {
    const chance = new Uint8Array(32).fill(7);
    expect(secretOf("access_token", chance)).toMatch(/^tat_/);
    expect(secretOf("refresh_token", chance)).toMatch(/^trt_/);
    expect(secretOf("api_key", chance)).toMatch(/^tak_/);
    fc.assert(
      fc.property(kinds, bytes, (kind, chance) => {
        expect(secretKind(secretOf(kind, chance))).toBe(kind);
      }),
    );
  });

  it("differ if their random bytes differ", () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        fc.pre(Buffer.compare(one, other) !== 0);
        expect(secretOf("api_key", one)).not.toBe(secretOf("api_key", other));
      }),
    );
  });

  it("are refused if any one character is changed, the prefix included", () => {
    fc.assert(
      fc.property(kinds, bytes, fc.nat(60), fc.constantFrom(..."0aAzZ_-."), (kind, chance, at, character) => {
        const secret = secretOf(kind, chance);
        fc.pre(secret[at] !== character);
        expect(secretKind(secret.slice(0, at) + character + secret.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  it("are refused with the prefix of another kind", () => {
    const secret = secretOf("api_key", new Uint8Array(32).fill(9));
    expect(secretKind(secret.replace("tak_", "tat_"))).toBeUndefined();
  });

  it("are refused when truncated, extended or padded with whitespace", () => {
    const secret = secretOf("api_key", new Uint8Array(32).fill(200));
    for (const wrong of [secret.slice(0, -1), `${secret}0`, ` ${secret}`, `${secret}\n`, "tak_", ""]) {
      expect(secretKind(wrong)).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => secretKind(text) === undefined));
  });

  it("have a 256-bit hash that does not contain them", () => {
    const secret = secretOf("api_key", new Uint8Array(32).fill(1));
    expect(Buffer.from(hashSecret(secret), "base64url")).toHaveLength(32);
    expect(hashSecret(secret)).not.toContain(secret.slice(4, 20));
  });
});
