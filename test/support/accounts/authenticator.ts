import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

interface Told {
  /** Origin of the page. */
  origin: string;
  rpId?: string;
  counter?: number;
}

/** Creates an authenticator with one passkey (ES256), which answers as a browser would. */
export function createAuthenticator({ idBytes = 16 } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(idBytes);
  let counter = 0;
  let userHandle = "";

  function clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  return {
    id: id.toString("base64url"),
    /** Answers `navigator.credentials.create`. */
    // biome-ignore lint/suspicious/noExplicitAny: options as the server sends them
    create(options: any, { origin, rpId = options.rp.id }: Told) {
      userHandle = options.user.id;
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([id.length >> 8, id.length & 255]),
        id,
        coseKey(publicKey),
      ]);
      const authData = Buffer.concat([authenticatorData(rpId, 0x45, 0), attested]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text("fmt"),
        text("none"),
        text("attStmt"),
        Buffer.from([0xa0]),
        text("authData"),
        Buffer.from([0x59, authData.length >> 8, authData.length & 255]),
        authData,
      ]);
      return {
        id: id.toString("base64url"),
        rawId: id.toString("base64url"),
        type: "public-key" as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData("webauthn.create", options.challenge, origin).toString("base64url"),
          attestationObject: attestation.toString("base64url"),
          transports: ["internal" as const],
        },
      };
    },
    /** Answers `navigator.credentials.get`. */
    // biome-ignore lint/suspicious/noExplicitAny: options as the server sends them
    get(options: any, { origin, rpId = options.rpId, counter: told }: Told) {
      const data = clientData("webauthn.get", options.challenge, origin);
      counter = told ?? counter + 1;
      const authData = authenticatorData(rpId, 0x05, counter);
      const signed = Buffer.concat([authData, createHash("sha256").update(data).digest()]);
      return {
        id: id.toString("base64url"),
        rawId: id.toString("base64url"),
        type: "public-key" as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: data.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: createSign("sha256").update(signed).sign(privateKey).toString("base64url"),
          userHandle,
        },
      };
    },
  };
}

/** Encodes authenticator data (Web Authentication Level 3 §6.1). */
function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), count]);
}

/** Encodes a public key (RFC 9053 §7.1.1). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const head = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
  const bytes = (text: string) => Buffer.from(text, "base64url");
  return Buffer.concat([Buffer.from(head), bytes(x), Buffer.from([0x22, 0x58, 0x20]), bytes(y)]);
}

/** Encodes a short text string in CBOR (RFC 8949 §3). */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}
