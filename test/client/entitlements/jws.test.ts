import { generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { issuerOf, keyIdOf, verifiedPayload } from "../../../src/client/entitlements/jws.ts";

const TYPE = "entitlements+jwt";
const HEADER = { alg: "EdDSA", kid: "k1", typ: TYPE };
const PAYLOAD = { iss: "https://plane.example", plan: "team" };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const own = generateKeyPairSync("ed25519");
const KEY = { ...own.publicKey.export({ format: "jwk" }), kid: "k1" };

function jws(header: object = {}, payload: unknown = PAYLOAD, key = own.privateKey): string {
  const signed = `${encode({ ...HEADER, ...header })}.${encode(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}
const verified = (text: string, keys: (JsonWebKey & { kid?: string })[] = [KEY]) =>
  verifiedPayload(text, keys, TYPE);

describe("JWS verification", () => {
  it("returns the payload that the named key signed", () => {
    const other = { ...generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }), kid: "k2" };
    expect(verified(jws())).toEqual(PAYLOAD);
    expect(verified(jws(), [other, KEY])).toEqual(PAYLOAD);
    expect(verified(jws({}, ["any", "JSON"]))).toEqual(["any", "JSON"]);
  });

  it("rejects another key, type or algorithm, and an incomplete document", () => {
    const stranger = generateKeyPairSync("ed25519");
    const [head, payload, signature] = jws().split(".") as [string, string, string];
    for (const text of [
      jws({ alg: "none" }),
      jws({ alg: "ES256" }),
      jws({ typ: "JWT" }),
      jws({ typ: undefined }),
      jws({ kid: "k2" }),
      jws({ kid: undefined }),
      jws({ crit: ["exp"] }),
      jws({ crit: [] }),
      jws({}, PAYLOAD, stranger.privateKey),
      `${head}.${encode({ ...PAYLOAD, plan: "enterprise" })}.${signature}`,
      `${encode({ ...HEADER, more: 1 })}.${payload}.${signature}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${head}.${payload}.${signature}.`,
      "",
      "..",
      "a.b.c",
    ]) {
      expect(verified(text), text).toBeUndefined();
    }
  });

  it("rejects keys that are not Ed25519 or have no id", () => {
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
    for (const key of [
      { ...ec, kid: "k1" },
      { kty: "OKP", kid: "k1" },
      { kid: "k1" },
      { ...KEY, kid: undefined },
    ]) {
      expect(verified(jws(), [key as JsonWebKey])).toBeUndefined();
    }
    expect(verified(jws({ kid: undefined }), [{ ...KEY, kid: undefined } as never])).toBeUndefined();
    expect(verified(jws(), [])).toBeUndefined();
  });

  it("reads the key id and the issuer of an unverified document", () => {
    expect(keyIdOf(jws())).toBe("k1");
    expect(issuerOf(jws())).toBe(PAYLOAD.iss);
    for (const text of ["", "a.b", "a.b.c", `${encode(HEADER)}.${encode(PAYLOAD)}`]) {
      expect(keyIdOf(text)).toBeUndefined();
    }
    expect(keyIdOf(jws({ kid: undefined }))).toBeUndefined();
    for (const text of ["", "a.b.c", `${encode(HEADER)}.`]) expect(issuerOf(text)).toBeUndefined();
  });
});
