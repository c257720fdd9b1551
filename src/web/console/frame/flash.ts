import { createHmac, timingSafeEqual } from "node:crypto";
import type { Done } from "./section.ts";

/** The name in an address under which a page is told what was just done. */
export const FLASH = "done";

/** Addresses of some 2,000 characters pass everywhere. */
const MAX_CHARACTERS = 1500;

/**
 * What a form did, as it stands in the address that the browser is sent on to; sealed, so that nobody makes
 * a link that has a page say something, or offer to take back what was never done.
 * @param formToken of the browser
 */
export function sealed({ said, undo }: Done, formToken: string): string {
  const whole = encoded({ said, undo });
  const text = whole.length <= MAX_CHARACTERS ? whole : encoded({ said: said.slice(0, 200) });
  return `${text}.${seal(text, formToken)}`;
}

/** Undefined for what was not sealed for this browser. */
export function unsealed(flash: string | null, formToken: string): Done | undefined {
  const [text = "", given = ""] = flash?.split(".") ?? [];
  const [wanted, held] = [Buffer.from(seal(text, formToken)), Buffer.from(given)];
  if (wanted.length !== held.length || !timingSafeEqual(wanted, held)) return undefined;
  return JSON.parse(Buffer.from(text, "base64url").toString());
}

function encoded(done: Done): string {
  return Buffer.from(JSON.stringify(done)).toString("base64url");
}

function seal(text: string, formToken: string): string {
  return createHmac("sha256", formToken).update(text).digest("base64url");
}
