import { describe, expect, it } from "vitest";
import { newSecret, type SecretKind } from "../../src/accounts/credentials/secrets.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { createRandom } from "../../src/system/random.ts";
import { startServe } from "../support/serve.ts";
import { temporaryDirectory } from "../support/store.ts";
import { startOnFailingStore } from "./app-on-store.ts";
import { journey, type Secrets } from "./journey.ts";

const SECRET_KINDS: SecretKind[] = ["access_token", "refresh_token", "api_key", "session", "sign_in_link"];
const random = createRandom(systemClock);

/** Returns the secrets in a text, verbatim or percent-encoded. */
function found(secrets: Secrets, text: string): string[] {
  return [...secrets].filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)));
}

describe("the log of a server", () => {
  it("contains no secret after a journey through every feature that handles secrets", async () => {
    const serve = await startServe(
      ["--data", temporaryDirectory(), "--log-level", "debug", "--plan", "enterprise"],
      { TOOL_OWNER_API_KEY: "" },
    );
    let out = "";
    serve.child.stdout?.on("data", (text: Buffer) => {
      out += text;
    });
    const secrets = await journey(serve.url, serve.listening.signInUrl ?? "");
    await serve.end("SIGTERM");
    expect(secrets.size).toBeGreaterThan(15);
    expect(out).toContain('"event":"request"');
    expect(found(secrets, out + serve.stderr())).toEqual([]);
  });

  it("contains no secret when store operations fail, and answers reveal no internals", async () => {
    let lines = "";
    const log = createLog("debug", {
      write(line) {
        lines += line;
      },
    });
    const secrets: Secrets = new Set();
    for (const every of [2, 3, 5, 8, 13]) {
      const app = await startOnFailingStore(log);
      let steps = 0;
      app.failWith(() => (++steps % every === 0 ? new Error("the store broke in the middle") : undefined));
      for (const secret of await journey(app.url, app.signInUrl)) secrets.add(secret);
      const answer = await fetch(`${app.url}/ready`).then((response) => response.text());
      expect(answer).not.toContain("in the middle");
    }
    expect(lines.split("request failed").length).toBeGreaterThan(40);
    expect(lines).toContain("the store broke in the middle");
    expect(secrets.size).toBeGreaterThan(30);
    expect(found(secrets, lines)).toEqual([]);
  });

  it("redacts secrets by member name, also inside errors, and by their form in any text", () => {
    let lines = "";
    const log = createLog("info", {
      write(line) {
        lines += line;
      },
    });
    const secrets = SECRET_KINDS.map((kind) => newSecret(kind, random));
    const password = "hunter2hunter2";
    log.error({ err: new Error(`refused ${secrets.join(" and ")}`) }, `of ${secrets[0]}`);
    log.warn({
      password,
      request: { password, headers: { "x-api-key": password, authorization: password } },
    });
    log.warn({ err: Object.assign(new Error("no"), { config: { headers: { cookie: password } } }) });
    log.error({ err: new Error(`connect postgres://tool:${password}@db.example:5432/tool failed`) });
    log.info({ text: `Authorization: Bearer ${password}` });
    expect(lines.split("\n")).toHaveLength(6);
    expect(found(new Set([...secrets, password]), lines)).toEqual([]);
    expect(lines).toContain("postgres://tool:[redacted]@db.example");
    for (const line of lines.trim().split("\n")) expect(JSON.parse(line).at).toBeDefined();
  });
});
