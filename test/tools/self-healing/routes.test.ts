import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { FULL_DISK, MISSING_MODULE, openHealing, ROOT } from "./healing.ts";

describe("the routes of self-healing", () => {
  it("refuse to delete one of several diagnoses of a failure in an archived project", async () => {
    const app = await startApp();
    const headers = { "X-Project-Id": "shop" };
    const diagnose = () => app.request("POST", `${ROOT}/diagnose`, { headers, body: { log: FULL_DISK } });
    const { diagnosisId } = (await diagnose()).body;
    await diagnose();
    await app.request("PUT", "/api/v1/projects/shop", { body: { archived: true } });
    const refused = await app.request("DELETE", `${ROOT}/${diagnosisId}`, { headers });
    expect([refused.status, refused.body.error]).toEqual([409, "project_archived"]);
    await app.request("PUT", "/api/v1/projects/shop", { body: { archived: false } });
    expect((await app.request("DELETE", `${ROOT}/${diagnosisId}`, { headers })).status).toBe(200);
  });

  it("diagnose a failed build, record its fix and remember both", async () => {
    const { diagnose, record, history } = await openHealing();
    const log = `> shop@1.0.0 build\n> tsc\n\nsrc/cart.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.\n`;
    const first = await diagnose(log, { command: "npm run build", exitCode: 2 });
    expect(first).toMatchObject({
      category: "type_error",
      ecosystem: "node",
      cause: { logLine: 4, file: "src/cart.ts", line: 12, column: 5, code: "TS2322" },
      seenBefore: null,
    });
    expect(first.diagnosisId).toMatch(/^dia_/);
    expect(first.suggestions[0]).toMatchObject({ successRate: null, attempts: 0 });
    const second = await diagnose(log.replace("12,5", "14,7").replace("src/", "/home/runner/work/shop/src/"));
    expect(second.fingerprint).toBe(first.fingerprint);
    expect(second.seenBefore).toMatchObject({ count: 1 });
    expect((await diagnose(log)).seenBefore).toMatchObject({ count: 2 });
    const fix = { fingerprint: first.fingerprint, fix: "Cast the total", outcome: "success" };
    expect((await record(fix)).suggestion).toMatchObject({ title: "Cast the total", attempts: 1 });
    const { items } = await history("?category=type_error&limit=1");
    expect(items).toMatchObject([{ category: "type_error", cause: { line: 12 }, outcomes: [] }]);
  });

  it("accept a log of any size and characters, and find nothing in one without a failure", async () => {
    const { diagnose } = await openHealing();
    const noise = Array.from(
      { length: 20_000 },
      (_, index) => `\u001b[2mstep ${index}\u001b[0m  \u0000\ud800 ok\r`,
    ).join("");
    expect((await diagnose(`${noise}\n${MISSING_MODULE}`)).cause?.logLine).toBe(20_001);
    const nothing = { category: "unknown", cause: null, alsoSeen: [], suggestions: [], seenBefore: null };
    for (const log of ["31 passed in 1.2s\n", noise, ""]) expect(await diagnose(log)).toMatchObject(nothing);
  });

  it("refuse invalid requests, naming the invalid field of a diagnosis", async () => {
    const { send } = await openHealing();
    for (const [body, path] of [
      [{}, "log"],
      [{ log: 1 }, "log"],
      [{ log: "x", exitCode: "1" }, "exitCode"],
      [{ log: "x", exitCode: 1.5 }, "exitCode"],
      [{ log: "x", ecosystem: "" }, "ecosystem"],
      [{ log: "x", file: "build.log" }, "file"],
    ] as const) {
      const { status, body: problem } = await send("POST", "/diagnose", { body });
      expect([status, problem.error]).toEqual([400, "invalid_request"]);
      expect(JSON.stringify(problem.errors)).toContain(path);
    }
    const fingerprint = `fp_${"0".repeat(24)}`;
    for (const [body, status] of [
      [{ outcome: "success" }, 400],
      [{ diagnosisId: "dia_x", fingerprint, outcome: "success" }, 400],
      [{ fingerprint: "nonsense", outcome: "success" }, 400],
      [{ diagnosisId: "dia_x", outcome: "perhaps" }, 400],
      [{ diagnosisId: "dia_x", outcome: "success", fix: " " }, 400],
      [{ diagnosisId: "dia_x", outcome: "success" }, 404],
      [{ fingerprint, outcome: "success" }, 404],
    ] as const)
      expect((await send("POST", "/record", { body })).status, JSON.stringify(body)).toBe(status);
    for (const query of ["category=bad", "limit=0", "limit=201", "colour=red"])
      expect((await send("GET", `/history?${query}`)).status).toBe(400);
  });

  it("have one effect for requests repeated with the same Idempotency-Key", async () => {
    const { diagnose, history, send } = await openHealing();
    const once = (path: string, body: object) =>
      send("POST", path, { body, headers: { "Idempotency-Key": "once" } });
    const [first, again] = [
      await once("/diagnose", { log: FULL_DISK }),
      await once("/diagnose", { log: FULL_DISK }),
    ];
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await history()).items).toHaveLength(1);
    const other = await once("/diagnose", { log: MISSING_MODULE });
    expect([other.status, other.body.error]).toEqual([422, "idempotency_mismatch"]);
    const { fingerprint, suggestions } = first.body;
    const record = { fingerprint, suggestionId: suggestions[0].id, outcome: "success" };
    for (let times = 0; times < 3; times++) expect((await once("/record", record)).status).toBe(201);
    expect((await diagnose(FULL_DISK)).suggestions[0]?.attempts).toBe(1);
  });

  it("show nothing to another account, and let it record nothing", async () => {
    const { app, diagnose } = await openHealing();
    const { diagnosisId, fingerprint } = await diagnose(FULL_DISK);
    const { token } = await app.account("team");
    const ask = (method: string, path: string, body?: unknown) =>
      app.request(method, ROOT + path, { key: token, ...(body !== undefined && { body }) });
    expect((await ask("GET", "/history")).body.items).toEqual([]);
    for (const named of [{ diagnosisId }, { fingerprint }]) {
      const theirs = await ask("POST", "/record", { ...named, outcome: "success" });
      expect(theirs.status).toBe(404);
    }
    const nobodys = await ask("POST", "/record", { diagnosisId: "dia_nobody", outcome: "success" });
    const theirs = await ask("POST", "/record", { diagnosisId, outcome: "success" });
    expect(theirs.body.detail.replace(diagnosisId, "dia_nobody")).toBe(nobodys.body.detail);
    expect((await ask("POST", "/diagnose", { log: FULL_DISK })).body.seenBefore).toBeNull();
  });

  it("keep the projects of an account apart", async () => {
    const { app, diagnose } = await openHealing({ headers: { "X-Project-Id": "one" } });
    const { fingerprint } = await diagnose(FULL_DISK);
    const other = { headers: { "X-Project-Id": "two" } };
    expect((await app.request("GET", `${ROOT}/history`, other)).body.items).toEqual([]);
    const record = { body: { fingerprint, outcome: "success" }, ...other };
    expect((await app.request("POST", `${ROOT}/record`, record)).status).toBe(404);
  });

  it("need write to diagnose and record, and read for the history", async () => {
    const { app, send } = await openHealing();
    const key = await app.key(["read"]);
    expect((await send("GET", "/history", { key })).status).toBe(200);
    for (const path of ["/diagnose", "/record"]) {
      expect((await send("POST", path, { key, body: {} })).body.error).toBe("insufficient_scope");
      expect((await send("POST", path, { key: null, body: {} })).status).toBe(401);
    }
  });
});
