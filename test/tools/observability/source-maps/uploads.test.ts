import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../support/clock.ts";
import { bundleOf, formOf, mapOf, upload, zipOf } from "../../../support/source-maps.ts";
import { startReporting } from "../reporting.ts";

const ROOT = "/api/v1/tools/observability";
const ID = "2dd09581-5d60-5c37-b71b-74f71c20e2e4";
const OTHER = "78890a17-018e-52dc-8b50-411a2bd34acf";
const DAY = 24 * 60 * 60 * 1000;
const FILE = "https://shop.example/app.js";

/** Returns an error at 1:1 of a minified program. */
function minified(debugId = ID, more: object = {}): object {
  const frame = { function: "n", filename: FILE, abs_path: FILE, lineno: 1, colno: 1, in_app: true };
  return {
    exception: {
      values: [
        { type: "TypeError", value: "broken", stacktrace: { frames: [{ ...frame, function: "i" }, frame] } },
      ],
    },
    debug_meta: { images: [{ type: "sourcemap", code_file: FILE, debug_id: debugId }] },
    ...more,
  };
}

async function start(options: Parameters<typeof startReporting>[0] = {}) {
  const app = await startReporting(options);
  const place = await app.placeOf();
  const show = async (asked = {}) => {
    const [{ fingerprint }] = await app.errors("", asked);
    return (await app.request("GET", `${ROOT}/errors/${fingerprint}`, asked)).body.error;
  };
  const list = async (asked = {}) => (await app.request("GET", `${ROOT}/source-maps`, asked)).body.items;
  return { ...app, place, show, list, seen: (event: object) => app.report(place, event) };
}

describe("uploaded source maps", () => {
  it("restore the stacks of earlier errors, with the source lines around each call", async () => {
    const app = await start();
    await app.seen(minified());
    expect(await app.show()).not.toHaveProperty("restored");
    expect((await upload(app, bundleOf({ [ID]: mapOf("src/shop.ts") }), { release: "shop@1" })).body).toEqual(
      {
        state: "ok",
        missingChunks: [],
      },
    );
    const { stack, restored } = await app.show();
    expect(stack).toBe(`TypeError: broken\n    at n (${FILE}:1:1)\n    at i (${FILE}:1:1)`);
    expect(restored.stack).toBe(
      "TypeError: broken\n    at priceOf (src/shop.ts:3:5)\n    at i (src/shop.ts:3:5)",
    );
    expect(restored.frames[0]).toEqual({
      at: 1,
      function: "priceOf",
      file: "src/shop.ts",
      line: 3,
      column: 5,
      source: { from: 1, lines: ["one", "two", "three()", "four"] },
    });
    expect(await app.list()).toMatchObject([
      { release: "shop@1", maps: 1, uploadedBy: expect.stringMatching(/^usr_/) },
    ]);
  });

  it("group errors of two builds although their minified names differ", async () => {
    const app = await start();
    await upload(app, bundleOf({ [ID]: mapOf("src/shop.ts"), [OTHER]: mapOf("src/shop.ts") }));
    await app.seen(minified(ID));
    const other = JSON.parse(
      JSON.stringify(minified(OTHER)).replaceAll('"n"', '"q"').replaceAll("app.js", "app2.js"),
    );
    await app.seen(other);
    const errors = await app.errors();
    expect(errors.map(({ count }) => count)).toEqual([2]);
    expect(errors[0].stack).toContain("at q (");
  });

  it("do not restore stacks of another project or account", async () => {
    const app = await start();
    const stranger = await app.account("team");
    const theirs = await app.placeOf({ key: stranger.token });
    const elsewhere = await app.placeOf({ headers: { "X-Project-Id": "another" } });
    await upload(app, bundleOf({ [ID]: mapOf("src/secret.ts") }));
    for (const place of [theirs, elsewhere]) await app.report(place, minified());
    for (const asked of [{ key: stranger.token }, { headers: { "X-Project-Id": "another" } }]) {
      expect(await app.show(asked)).not.toHaveProperty("restored");
      expect(await app.list(asked)).toEqual([]);
      const [{ id }] = await app.list();
      expect((await app.request("DELETE", `${ROOT}/source-maps/${id}`, asked)).status).toBe(404);
    }
    await app.seen(minified());
    expect(await app.show()).toHaveProperty("restored");
  });

  it("are not used after their deletion, and can be uploaded again", async () => {
    const app = await start();
    await app.seen(minified());
    const bundle = bundleOf({ [ID]: mapOf("src/shop.ts") });
    await upload(app, bundle);
    expect(await app.show()).toHaveProperty("restored");
    const [{ id }] = await app.list();
    expect(id).toBe(hash("sha1", bundle));
    expect((await upload(app, bundle)).body.state).toBe("ok");
    expect((await app.request("DELETE", `${ROOT}/source-maps/${id}`)).body).toEqual({ deleted: id });
    expect(await app.list()).toEqual([]);
    expect(await app.show()).not.toHaveProperty("restored");
    await upload(app, bundle);
    expect(await app.show()).toHaveProperty("restored");
  });

  it("are kept while they are in use and expire within 98 days of the last use", async () => {
    const clock = fakeClock();
    const app = await start({ clock });
    const bundle = bundleOf({ [ID]: mapOf("src/shop.ts"), [OTHER]: mapOf("src/unused.ts") });
    await upload(app, bundle);
    for (let week = 0; week < 4; week++) {
      clock.advance(25 * DAY);
      await app.seen(minified(ID, { message: `week ${week}` }));
      // Lookups are cached, so another place is needed to use the map again.
      const event = JSON.stringify(minified()).replaceAll('"colno":1', `"colno":${2 + week}`);
      await app.seen(JSON.parse(event));
    }
    expect(await app.list()).toHaveLength(1);
    expect(await app.show()).toHaveProperty("restored");
    clock.advance(98 * DAY);
    expect(await app.list()).toEqual([]);
  });

  it("are accepted in several parts", async () => {
    const app = await start();
    const noise = Array.from({ length: 20_000 }, (_, index) => hash("sha256", String(index))).join("");
    const bundle = bundleOf({ [ID]: { ...mapOf("src/shop.ts"), file: noise }, [OTHER]: mapOf("b.ts") });
    expect(bundle.length).toBeGreaterThan(512 * 1024);
    expect((await upload(app, bundle)).body.state).toBe("ok");
    await app.seen(minified());
    expect(await app.show()).toHaveProperty("restored");
  });
});

describe("an upload of source maps", () => {
  it("needs a write key of the account that it names, and refuses the public DSN key", async () => {
    const app = await start();
    const bundle = bundleOf({ [ID]: mapOf("a.ts") });
    expect((await upload(app, bundle, { key: await app.key(["read"]) })).status).toBe(403);
    const { body } = await app.request("GET", "/api/v1/account");
    const organization = body.account.id;
    for (const key of [null, app.place.key])
      expect((await upload(app, bundle, { key, organization })).status).toBe(401);
    const sentry = { Authorization: `Sentry sentry_key=${app.place.key}` };
    const root = `/api/0/organizations/${organization}`;
    expect((await app.request("GET", `${root}/chunk-upload/`, { key: null, headers: sentry })).status).toBe(
      401,
    );
    const stranger = await app.account("team");
    const refused = await upload(app, bundle, { key: stranger.token, organization });
    expect([refused.status, refused.body.detail.includes(organization)]).toEqual([404, false]);
    expect(await app.list()).toEqual([]);
  });

  it("is refused with advice to inject debug ids if no map has one", async () => {
    const app = await start();
    const files = { "files/a.map": JSON.stringify(mapOf("a.ts")) };
    const listed = { "files/a.map": { type: "source_map", url: "~/a.map", headers: {} } };
    const bundle = zipOf({ ...files, "manifest.json": JSON.stringify({ files: listed }) });
    const refused = await upload(app, bundle);
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toContain("sentry-cli sourcemaps inject");
  });

  it("is refused and not stored if it unpacks to too much or has too many mappings", async () => {
    const app = await start();
    const bombs: [string, Buffer][] = [
      ["more than 32 MiB unpacked", bundleOf({ [ID]: " ".repeat(40 * 1024 * 1024) })],
      [
        "more than 8 MiB of mappings",
        bundleOf({ [ID]: { version: 3, sources: [], mappings: ";".repeat(9e6) } }),
      ],
      ["no zip archive", Buffer.alloc(100)],
    ];
    for (const [why, bomb] of bombs) {
      const refused = await upload(app, bomb);
      expect([refused.status, refused.body.detail], why).toEqual([400, expect.stringContaining(why)]);
    }
    expect(await app.list()).toEqual([]);
  });

  it("is refused if a part does not match its SHA-1 or there are too many parts", async () => {
    const app = await start();
    const { body } = await app.request("GET", "/api/v1/account");
    const path = `/api/0/organizations/${body.account.id}/chunk-upload/`;
    const part = Buffer.from("part");
    const lying = await app.request(
      "POST",
      path,
      formOf([part], () => "0".repeat(40)),
    );
    expect([lying.status, lying.body.detail]).toEqual([400, expect.stringContaining("SHA-1")]);
    const many = Array.from({ length: 9 }, (_, index) => Buffer.from(`${index}`));
    expect((await app.request("POST", path, formOf(many))).status).toBe(413);
    for (const raw of [
      "",
      "--x",
      "--x\r\n\r\n--x--",
      "--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--",
    ]) {
      const { headers } = formOf([]);
      expect((await app.request("POST", path, { raw, headers })).status, JSON.stringify(raw)).toBe(400);
    }
    expect((await app.request("POST", path, { body: {} })).status).toBe(415);
  });

  it("is refused for another project than the key is bound to, or without a project", async () => {
    const app = await start();
    const bundle = bundleOf({ [ID]: mapOf("a.ts") });
    const { body } = await app.request("GET", "/api/v1/account");
    const key = await app.key(["read", "write"], { projectId: "shop" });
    const options = { key, organization: body.account.id };
    expect((await upload(app, bundle, { ...options, project: "default" })).status).toBe(403);
    expect((await upload(app, bundle, { ...options, project: "shop" })).body.state).toBe("ok");
    const path = `/api/0/organizations/${body.account.id}/artifactbundle/assemble/`;
    const none = await app.request("POST", path, {
      body: { checksum: "0".repeat(40), chunks: ["0".repeat(40)], projects: [] },
    });
    expect([none.status, none.body.detail]).toEqual([400, expect.stringContaining("must name one project")]);
  });

  it("creates a release, in which an error resolved in the next release stays resolved", async () => {
    const app = await start();
    await app.seen(minified(ID, { release: "1" }));
    const { body } = await app.request("GET", "/api/v1/account");
    const root = `/api/0/organizations/${body.account.id}/releases/`;
    const made = await app.request("POST", root, { body: { version: "2", projects: ["default"], refs: [] } });
    expect(made.body).toMatchObject({ version: "2", dateCreated: expect.any(String) });
    expect(
      (await app.request("PUT", `${root}2/`, { body: { dateReleased: "2026-01-01T00:00:00Z" } })).status,
    ).toBe(200);
    const [{ fingerprint }] = await app.errors();
    await app.request("POST", `${ROOT}/errors/resolve`, {
      body: { fingerprints: [fingerprint], inNextRelease: true },
    });
    await app.seen(minified(ID, { release: "2" }));
    expect(await app.errors()).toMatchObject([{ state: "resolved", count: 2 }]);
    await app.seen(minified(ID, { release: "3" }));
    expect(await app.errors()).toMatchObject([{ state: "open", count: 3 }]);
  });
});
