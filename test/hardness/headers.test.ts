import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/api.ts";
import { OWNER_KEY, startApp, type TestApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { temporaryDirectory } from "../support/store.ts";
import { unlimitedPlans } from "./fuzz/unlimited-plans.ts";
import { openConnection, type RawAnswer } from "./raw-connection.ts";

const PAGES = [
  "/",
  "/device",
  "/device?user_code=BCDF-GHJK",
  "/sign-in",
  "/docs",
  "/docs/problems",
  "/nothing",
];
const SERVICE = [
  "/health",
  "/ready",
  "/openapi.json",
  "/.well-known/jwks.json",
  "/api/v1/nothing",
  "/v1/track",
];
const METADATA = ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"];
const LISTS = endpoints
  .filter(({ method, path }) => method === "GET" && !path.includes("{"))
  .map(({ path }) => path);

/** Sends a GET with headers that HTTP libraries do not allow. */
async function get(app: TestApp, path: string, headers: string): Promise<RawAnswer> {
  const connection = await openConnection(app.url);
  connection.send(`GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
  const [answer] = await connection.ended();
  if (!answer) throw new Error(`no answer to ${path}`);
  return answer;
}

describe("the Host of a request", () => {
  const EVIL = `Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nForwarded: host=evil.example;proto=https\r\nX-Original-URL: /evil.example\r\n`;

  it("is never reflected in a body or header of an answer", async () => {
    const app = await startApp({ trustProxy: "1", plansFile: unlimitedPlans(temporaryDirectory()) });
    for (const credential of ["", `Authorization: Bearer ${OWNER_KEY}\r\n`]) {
      for (const path of [...PAGES, ...SERVICE, ...METADATA, ...LISTS]) {
        const { headers, body } = await get(app, path, EVIL + credential);
        expect([path, JSON.stringify(headers)]).not.toEqual([path, expect.stringContaining("evil")]);
        expect([path, body.includes("evil")]).toEqual([path, false]);
      }
    }
  });

  it("does not change the issuer, endpoints or verification URI, which use the base URL", async () => {
    const app = await startApp();
    for (const path of METADATA) {
      const addresses = Object.values(JSON.parse((await get(app, path, EVIL)).body)).flat();
      const urls = addresses.filter((value) => String(value).includes("://"));
      expect(urls.length).toBeGreaterThan(0);
      for (const url of urls) expect(String(url).startsWith(app.url)).toBe(true);
    }
    const connection = await openConnection(app.url);
    const body = "client_id=a";
    const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`;
    connection.send(`POST /auth/device/code HTTP/1.1\r\n${EVIL}${form}\r\n${body}`);
    const [answer] = await connection.answers(1);
    expect(JSON.parse(answer?.body ?? "").verification_uri).toBe(`${app.url}/device`);
  });

  it("must be a loopback name for /metrics, against DNS rebinding", async () => {
    const app = await startApp();
    const { port } = new URL(app.url);
    const seen = async (host: string) => (await get(app, "/metrics", `Host: ${host}\r\n`)).status;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "LOCALHOST", `[::1]:${port}`]) {
      expect([host, await seen(host)]).toEqual([host, 200]);
    }
    for (const host of [`evil.example:${port}`, "127.0.0.1.evil.example", "localhost.evil.example", "[::1"]) {
      expect([host, await seen(host)]).toEqual([host, 404]);
    }
  });
});

describe("other sites", () => {
  it("get CORS headers only from OAuth metadata, the key set and the token endpoint", async () => {
    const app = await startApp({ plansFile: unlimitedPlans(temporaryDirectory()) });
    const origin = "Host: a\r\nOrigin: https://evil.example\r\n";
    const preflight =
      "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization\r\n";
    const open = [...METADATA, "/.well-known/jwks.json", "/auth/device/token"];
    const paths = [...PAGES, ...SERVICE, ...LISTS, "/api/v1/track", "/auth/authorize", ...open];
    // A connection may pipeline a hundred requests.
    const answers: RawAnswer[] = [];
    for (const part of [paths.slice(0, 40), paths.slice(40)]) {
      const connection = await openConnection(app.url);
      for (const path of part) {
        connection.send(
          `GET ${path} HTTP/1.1\r\n${origin}\r\nOPTIONS ${path} HTTP/1.1\r\n${origin}${preflight}\r\n`,
        );
      }
      answers.push(...(await connection.answers(2 * part.length)));
    }
    expect(answers).toHaveLength(2 * paths.length);
    for (const [index, { headers }] of answers.entries()) {
      const path = paths[Math.floor(index / 2)] as string;
      const names = Object.keys(headers).filter((name) => name.startsWith("access-control-"));
      // Browsers send no cookies to endpoints that allow any origin without credentials.
      if (open.includes(path))
        expect([path, headers["access-control-allow-credentials"]]).toEqual([path, undefined]);
      else expect([path, names]).toEqual([path, []]);
    }
  });

  it("get nosniff and no server name in every answer, and HTML from pages alone, without foreign scripts", async () => {
    const app = await startApp({ plansFile: unlimitedPlans(temporaryDirectory()) });
    const data = [...SERVICE, ...METADATA, ...LISTS, "/api/v1/<script>", "/auth/<script>", "/mcp/<script>"];
    for (const credential of ["", `Authorization: Bearer ${OWNER_KEY}\r\n`]) {
      for (const path of [...PAGES, ...data]) {
        const { status, headers } = await get(app, path, `Host: a\r\nAccept: text/html\r\n${credential}`);
        expect([path, headers["x-content-type-options"]]).toEqual([path, "nosniff"]);
        expect([path, headers["x-powered-by"], headers.server]).toEqual([path, undefined, undefined]);
        const type = PAGES.includes(path)
          ? /^text\/html; charset=utf-8$/
          : /^application\/(problem\+)?json\b/;
        // A redirect has no body.
        if (status === 303) expect([path, headers["content-length"]]).toEqual([path, "0"]);
        else expect([path, headers["content-type"]]).toEqual([path, expect.stringMatching(type)]);
        if (!PAGES.includes(path)) continue;
        const policy = headers["content-security-policy"]?.split(/; ?/);
        expect([path, policy]).toEqual([path, expect.arrayContaining(["default-src 'none'"])]);
        const scripts = policy?.filter((rule) => rule.startsWith("script-src"));
        expect(["", "script-src 'self'"]).toContain(scripts?.join());
      }
    }
  });
});

describe("Cache-Control", () => {
  it("is no-store for every authenticated endpoint except entitlements, which are private", async () => {
    const app = await startApp();
    for (const { method, path, name } of endpoints) {
      const target = path.replace(/\{\w+\}/g, "example");
      const { headers, status } = await app.request(method, target, method === "GET" ? {} : { body: {} });
      const resolved = name.startsWith("entitlements.") && status === 200;
      const cached = headers.get("cache-control") ?? "";
      if (resolved) expect([name, cached]).toEqual([name, expect.stringMatching(/^private, max-age=\d+$/)]);
      else expect([name, cached]).toEqual([name, "no-store"]);
      if (resolved) expect(headers.get("vary")).toMatch(/Authorization/);
    }
  });

  it("is no-store for pages, errors and token endpoints", async () => {
    const app = await startApp();
    for (const path of ["/", "/device", "/sign-in", "/nothing", "/api/v1/nothing"]) {
      const { headers } = await app.request("GET", path, { key: null });
      expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
    }
    for (const path of ["/auth/device/code", "/auth/device/token", "/auth/revoke"]) {
      const { headers } = await app.request("POST", path, {
        key: null,
        body: { client_id: "a", device_code: "b" },
      });
      expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
    }
  });
});

describe("a forwarded address", () => {
  /** Returns how many of 70 unauthenticated requests are admitted that each claim another origin address. */
  async function admitted(app: TestApp, header: (index: number) => Record<string, string>): Promise<number> {
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, index) =>
        app.request("GET", "/api/v1/account", { key: null, headers: header(index) }),
      ),
    );
    return answers.filter(({ status }) => status === 401).length;
  }

  it.each(["X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Client-IP", "CF-Connecting-IP", "True-Client-IP"])(
    "in %s is not believed unless a proxy is trusted",
    async (name) => {
      const app = await startApp({ clock: fakeClock() });
      expect(await admitted(app, (index) => ({ [name]: `10.0.0.${index}` }))).toBe(60);
    },
  );

  it("is taken from the trusted proxy, not from what the client wrote before it", async () => {
    const app = await startApp({ clock: fakeClock(), trustProxy: "1" });
    expect(await admitted(app, (index) => ({ "X-Forwarded-For": `10.0.0.${index}, 192.0.2.1` }))).toBe(60);
    expect(await admitted(app, (index) => ({ "X-Forwarded-For": `192.0.2.1, 10.0.0.${index}` }))).toBe(70);
  });

  it("is not believed from a peer outside the trusted network", async () => {
    const app = await startApp({ clock: fakeClock(), trustProxy: "192.0.2.0/24" });
    expect(await admitted(app, (index) => ({ "X-Forwarded-For": `10.0.0.${index}` }))).toBe(60);
  });

  it("behind an invalid one is ignored", async () => {
    const app = await startApp({ clock: fakeClock(), trustProxy: "3" });
    const said = (index: number) => ({
      "X-Forwarded-For": `10.0.0.${index}, ${"x".repeat(index)}?, 192.0.2.1`,
    });
    expect(await admitted(app, said)).toBe(60);
  });

  it("makes /metrics 404, even if it is a loopback address", async () => {
    const app = await startApp({ trustProxy: "1" });
    expect((await app.request("GET", "/metrics", { key: null })).status).toBe(200);
    for (const name of ["X-Forwarded-For", "Forwarded", "X-Real-IP"]) {
      const headers = { [name]: "127.0.0.1" };
      expect((await app.request("GET", "/metrics", { key: null, headers })).status).toBe(404);
    }
  });
});
