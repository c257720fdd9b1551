import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { OWNER, signedInOwner, startPages } from "./support/pages.ts";
import { hiddenFields, visitor } from "./support/visitor.ts";

const POSTS = ["/sign-in", "/sign-out", "/password", "/device", "/security", "/keys", "/devices"];
const OUT_OF_DATE = "This form is out of date.";

describe("a form", () => {
  it.each(POSTS)("to %s is refused without the token of this browser", async (path) => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const stranger = visitor(pages.url);
    const strangers = hiddenFields((await stranger.get("/sign-in")).html, "/sign-in").form_token ?? "";
    for (const token of ["", "form_token=", "form_token=nonsense", `form_token=${strangers}`]) {
      const refused = await browser.post(path, token);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(OUT_OF_DATE)]);
    }
    expect((await browser.get("/password")).status).toBe(200);
  });

  it("is refused without a cookie", async () => {
    const { url } = await startPages();
    const page = await visitor(url).get("/sign-in");
    expect((await visitor(url).send(page, "/sign-in", OWNER)).status).toBe(403);
  });

  it.each<Record<string, string>>([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example" },
    { origin: "http://127.0.0.1:1" },
    { origin: "nonsense" },
  ])("sent by another site is refused even with its token: %j", async (headers) => {
    const { url } = await startPages();
    const browser = visitor(url);
    const refused = await browser.send(await browser.get("/sign-in"), "/sign-in", OWNER, headers);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("another site")]);
  });

  it("is accepted from the same origin, by each name of the server", async () => {
    const { url } = await startPages({ baseUrl: "http://tool.example" });
    const browser = visitor(url);
    const page = await browser.get("/sign-in");
    const wrong = { email: OWNER.email, password: "wrong" };
    const own: Record<string, string>[] = [
      { "sec-fetch-site": "same-origin", origin: "null" },
      { origin: "null" },
      { origin: "http://tool.example" },
      { origin: url },
    ];
    for (const headers of own) {
      const taken = await browser.send(page, "/sign-in", wrong, headers);
      expect(taken.text).toContain("E-mail or password is wrong.");
    }
  });

  it("that repeats a field is refused", async () => {
    const { url } = await startPages();
    const browser = visitor(url);
    const { form_token = "" } = hiddenFields((await browser.get("/sign-in")).html, "/sign-in");
    const twice = await browser.post("/sign-in", `form_token=${form_token}&email=a&email=b&password=c`);
    expect([twice.status, twice.text]).toEqual([400, expect.stringContaining('"email"')]);
  });

  it("of more than 1,000 fields is refused, as strangers can send it", async () => {
    const { url } = await startPages();
    const fieldsOf = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`).join("&");
    const send = (count: number) => visitor(url).post("/sign-in", fieldsOf(count));
    expect((await send(1_000)).status).toBe(403);
    const refused = await send(1_001);
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining("more than 1,000 fields")]);
  });

  it("in another media type is refused", async () => {
    const { url } = await startPages();
    const browser = visitor(url);
    await browser.get("/sign-in");
    for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
      expect((await browser.post("/sign-in", "{}", { "content-type": type })).status).toBe(415);
    }
  });

  it("is read as UTF-8, and refused in another character set", async () => {
    const { url } = await startPages();
    const FORM = "application/x-www-form-urlencoded";
    for (const [type, status] of [
      [`${FORM}; charset=UTF-8`, 403],
      [`${FORM};charset="utf8"`, 403],
      [`${FORM}; charset=iso-8859-1`, 415],
      [`${FORM}; charset="utf-16"`, 415],
    ] as const) {
      const answer = await visitor(url).post("/sign-in", "email=%FC", { "content-type": type });
      expect([type, answer.status]).toEqual([type, status]);
    }
  });

  it("that is compressed is refused unread: a brotli stream of a few bytes takes 16 MiB to unpack", async () => {
    const { url } = await startPages();
    const browser = visitor(url);
    await browser.get("/sign-in");
    const packs = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, "gzip, gzip": gzipSync };
    for (const [encoding, pack] of Object.entries(packs)) {
      const response = await fetch(`${url}/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "content-encoding": encoding },
        body: pack("email=owner@example.test"),
      });
      expect([encoding, response.status]).toEqual([encoding, 415]);
      expect(await response.text()).toContain(`Content-Encoding &quot;${encoding}&quot;`);
    }
  });

  it("of more than 64 KiB is refused, with and without a Content-Length", async () => {
    const { url } = await startPages();
    const browser = visitor(url);
    await browser.get("/sign-in");
    expect((await browser.post("/sign-in", `a=${"a".repeat(65_536)}`)).status).toBe(413);
    expect((await browser.post("/sign-in", `a=${"a".repeat(65_000)}`)).status).toBe(403);
    const streamed = await fetch(`${url}/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new Blob(["a".repeat(70_000)]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(streamed.status).toBe(413);
  });
});
