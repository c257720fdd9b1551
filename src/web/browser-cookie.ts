import type { IncomingMessage } from "node:http";
import type { Clock } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import type { PageRequest } from "./page.ts";

/**
 * The only cookie of the pages. Signed out, it holds a random value that ties forms to this browser. Signed in, it
 * holds the session's secret.
 */
export interface BrowserCookie {
  read(request: IncomingMessage): string | undefined;
  /** Returns the cookie's value; sets a random one if there is none. */
  ensure(request: PageRequest): string;
  /** Replaces the value by a session's secret, until the session expires. */
  write(request: PageRequest, session: { secret: string; expiresAt: number }): void;
  clear(request: PageRequest): void;
}

export function createBrowserCookie({
  baseUrl,
  random,
  clock,
}: {
  /** Returns the base URL of the pages; called at each use. */
  baseUrl: () => string;
  random: Pick<Random, "bytes">;
  clock: Pick<Clock, "now">;
}): BrowserCookie {
  let known: { baseUrl: string; form: CookieForm } | undefined;
  /** A request asks several times, and the address changes at most once. */
  const formHere = (): CookieForm => {
    const now = baseUrl();
    if (known?.baseUrl !== now) known = { baseUrl: now, form: formFor(now) };
    return known.form;
  };
  const cookie: BrowserCookie = {
    read: (request) => {
      const { name } = formHere();
      const pair = request.headers.cookie?.split(/; */).find((part) => part.startsWith(`${name}=`));
      return pair?.slice(name.length + 1) || undefined;
    },
    ensure: (request) => {
      const held = cookie.read(request.raw);
      if (held) return held;
      const chance = random.bytes(32).toString("base64url");
      set(request, chance);
      return chance;
    },
    write: (request, { secret, expiresAt }) =>
      set(request, secret, `; Max-Age=${Math.floor((expiresAt - clock.now()) / 1000)}`),
    clear: (request) => set(request, "", "; Max-Age=0"),
  };
  return cookie;

  function set(request: PageRequest, value: string, lifetime = ""): void {
    const { name, attributes } = formHere();
    request.setCookie = `${name}=${value}; ${attributes}${lifetime}`;
  }
}

interface CookieForm {
  name: string;
  attributes: string;
}

/**
 * Returns the cookie's name and attributes. Cookies are not isolated by port (RFC 6265 §8.5), so the name tells the
 * servers of a host apart. Only over https does a prefix tie them to one host.
 */
function formFor(baseUrl: string): CookieForm {
  const attributes = "Path=/; HttpOnly; SameSite=Lax";
  const { protocol, port } = new URL(baseUrl);
  if (protocol === "https:") {
    return { name: `__Host-toolplane${port && `_${port}`}`, attributes: `${attributes}; Secure` };
  }
  return { name: `toolplane_${port || "80"}`, attributes };
}
