import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text with a password (AES-256-GCM, the key by HKDF of RFC 5869) and returns it in base64url. */
export function seal(text: string, password: string, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(password, purpose), nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString(
    "base64url",
  );
}

/** Decrypts a text. Throws if the password or purpose is wrong or the text was changed. */
export function unseal(sealed: string, password: string, purpose: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv(CIPHER, keyOf(password, purpose), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

function keyOf(password: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", password, "", purpose, 32));
}
