/** A minimal browser: keeps cookies, follows no redirects by itself, and can send a page's form. */
export interface Visitor {
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  /** Sends the form with this action. `fields` are added to its hidden fields and override them. */
  send(
    page: Page,
    action: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Page>;
  post(path: string, body: string, headers?: Record<string, string>): Promise<Page>;
  cookie(): string;
}

export interface Page {
  status: number;
  headers: Headers;
  location: string | null;
  html: string;
  /** Visible text on one line. */
  text: string;
}

export function visitor(url: string): Visitor {
  const jar = new Map<string, string>();

  async function ask(path: string, init: RequestInit): Promise<Page> {
    const response = await fetch(new URL(path, url), { redirect: "manual", ...init });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split("=");
      if (attributes.includes("Max-Age=0")) jar.delete(name);
      else jar.set(name, value);
    }
    const html = await response.text();
    const { status, headers } = response;
    return { status, headers, location: headers.get("location"), html, text: textOf(html) };
  }

  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const self: Visitor = {
    cookie,
    get: (path, headers = {}) => ask(path, { headers: { cookie: cookie(), ...headers } }),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        body,
        headers: { cookie: cookie(), "content-type": "application/x-www-form-urlencoded", ...headers },
      }),
    send: (page, action, fields = {}, headers = {}) =>
      self.post(
        action,
        new URLSearchParams({ ...hiddenFields(page.html, action), ...fields }).toString(),
        headers,
      ),
  };
  return self;
}

/** Returns a visitor that is signed in with e-mail and password. Throws if that fails. */
export async function signedInVisitor(
  url: string,
  who: { email: string; password: string },
): Promise<Visitor> {
  const browser = visitor(url);
  const done = await browser.send(await browser.get("/sign-in"), "/sign-in", who);
  if (done.status !== 303) throw new Error(`sign-in answered ${done.status}: ${done.text}`);
  return browser;
}

/** Returns the hidden fields of the first POST form with this action. */
export function hiddenFields(html: string, action: string): Record<string, string> {
  const form = [...html.matchAll(/<form [^>]*method="post"[^>]*>.*?<\/form>/gs)]
    .map(([text]) => text)
    .find((text) => text.includes(`action="${action}"`));
  if (!form) throw new Error(`the page has no form for ${action}`);
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
      ([, name = "", value = ""]) => [name, unescapeHtml(value)],
    ),
  );
}

function textOf(html: string): string {
  const body = html.replace(/^.*?<body>/s, "").replace(/<[^>]*>/g, " ");
  return unescapeHtml(body).replace(/\s+/g, " ").trim();
}

/** Returns text that was written into HTML as it was before. */
export function unescapeHtml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}
