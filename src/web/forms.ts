import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { mediaTypeOf } from "../contract/media-types.ts";
import { Problem } from "../contract/problem.ts";
import { hasMoreFields } from "../text/form-fields.ts";
import { grouped } from "../text/grouped.ts";
import type { BrowserCookie } from "./browser-cookie.ts";
import type { PageRequest } from "./page.ts";

const FORM = "application/x-www-form-urlencoded";
const MAX_BYTES = 64 * 1024;
/** More than any form has. Strangers send forms too, and each field costs time. */
const MAX_FIELDS = 1000;

/** The name of the hidden field that holds the form's token. */
export const TOKEN_FIELD = "form_token";

/** Returns the token that ties a form to its browser. No other site can read the cookie that it is derived from. */
export function formToken(cookie: string): string {
  return createHmac("sha256", cookie).update("form").digest("base64url");
}

/** A form whose token does not match this browser's cookie. What it asks for is never done. */
export class StaleForm extends Problem {
  /** @param isOurs whether the form certainly comes from these pages, so that its input may be shown again. */
  constructor(
    readonly form: URLSearchParams,
    readonly isOurs: boolean,
  ) {
    super("forbidden", "This form is out of date. Go back, reload the page and send it again.");
  }
}

/** Reads the body of a request as that of any other, within a bound in bytes. `Problem` if it is longer or compressed. */
export type ReadBody = (request: IncomingMessage, most: number) => Promise<Buffer>;

export interface FormReader {
  /** Reads a form, without repeated fields. Throws a `Problem` if it is none. */
  read(request: PageRequest): Promise<URLSearchParams>;
  /** Refuses a form that does not come from these pages, in this browser. */
  check(request: PageRequest): void;
}

/** @param addresses returns the URLs of these pages. */
export function createFormReader({
  cookie,
  readBody,
  addresses,
}: {
  cookie: BrowserCookie;
  readBody: ReadBody;
  addresses: () => readonly string[];
}): FormReader {
  return {
    async read({ raw }) {
      const type = raw.headers["content-type"] ?? "";
      if (mediaTypeOf(type) !== FORM)
        throw new Problem("unsupported_media_type", `Send the form as ${FORM}.`);
      if (OTHER_CHARSET.test(type)) throw new Problem("unsupported_media_type", "Send the form in UTF-8.");
      return fieldsOf(await readBody(raw, MAX_BYTES));
    },
    check(request) {
      checkOrigin(request.raw.headers, addresses);
      checkToken(request, cookie.read(request.raw));
    },
  };
}

const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))/i;

function fieldsOf(body: Buffer): URLSearchParams {
  if (hasMoreFields(body, MAX_FIELDS)) {
    throw new Problem("payload_too_large", `The form has more than ${grouped(MAX_FIELDS)} fields.`);
  }
  const form = new URLSearchParams(body.toString());
  const repeated = repeatedIn(form.keys());
  if (repeated !== undefined) {
    throw new Problem("invalid_request", `The field "${repeated.slice(0, 64)}" was sent twice.`);
  }
  // Fields name what is looked up, and PostgreSQL cannot be asked for NUL. No browser lets anybody type it.
  const [unusable] = [...form].find(([, value]) => value.includes("\0")) ?? [];
  if (unusable !== undefined) {
    throw new Problem("invalid_request", `The field "${unusable.slice(0, 64)}" holds a NUL character.`);
  }
  return form;
}

/** @param held the browser's cookie. */
function checkToken({ form, raw }: PageRequest, held: string | undefined): void {
  if (held && sameText(form.get(TOKEN_FIELD) ?? "", formToken(held))) return;
  throw new StaleForm(form, raw.headers["sec-fetch-site"] === "same-origin");
}

function repeatedIn(names: Iterable<string>): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/**
 * Refuses a POST from another site, by the headers that browsers send. `Origin: null` is inconclusive: these pages
 * send it because of `Referrer-Policy: no-referrer`. The form token is checked in any case.
 */
function checkOrigin(headers: IncomingHttpHeaders, addresses: () => readonly string[]): void {
  const { "sec-fetch-site": site, origin = "null", host } = headers;
  const own = site
    ? site === "same-origin" || site === "none"
    : origin === "null" || addresses().map(originOf).includes(origin) || hostOf(origin) === host;
  if (own) return;
  throw new Problem("forbidden", "This form was sent from another site. Open the page here and try again.");
}

function originOf(address: string): string {
  return new URL(address).origin;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
