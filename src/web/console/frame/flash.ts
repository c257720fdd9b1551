import { createHmac, timingSafeEqual } from "node:crypto";
import type { Done } from "./section.ts";

/** The parameter of an address that carries a form's outcome. */
export const FLASH = "done";

/** Keeps addresses below about 2,000 characters, which are supported everywhere. */
const MAX_CHARACTERS = 1500;

/**
 * Encodes and signs what a form did, for the address that the browser is redirected to. Without the signature, a
 * crafted link could make a page state something false, or offer to undo what was never done.
 *
 * @param formToken the form token of the browser.
 */
export function signedFlash({ said, undo }: Done, formToken: string): string {
  const whole = encoded({ said, undo });
  const text = whole.length <= MAX_CHARACTERS ? whole : encoded({ said: said.slice(0, 200) });
  return `${text}.${sign(text, formToken)}`;
}

/** Decodes a form's outcome; undefined unless it was signed for this browser. */
export function verifiedFlash(flash: string | null, formToken: string): Done | undefined {
  const [text = "", given = ""] = flash?.split(".") ?? [];
  const [wanted, held] = [Buffer.from(sign(text, formToken)), Buffer.from(given)];
  if (wanted.length !== held.length || !timingSafeEqual(wanted, held)) return undefined;
  return JSON.parse(Buffer.from(text, "base64url").toString());
}

function encoded(done: Done): string {
  return Buffer.from(JSON.stringify(done)).toString("base64url");
}

function sign(text: string, formToken: string): string {
  return createHmac("sha256", formToken).update(text).digest("base64url");
}
