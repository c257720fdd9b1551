import { describe, expect, it } from "vitest";
import { createLog } from "../../src/system/log.ts";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { runs } from "../support/runs.ts";
import { temporaryDirectory } from "../support/store.ts";
import { jsonSamples, naughtyStrings, noBadInput } from "./fuzz/bad-input.ts";
import { complaintsAbout } from "./fuzz/complaints.ts";
import { createFuzzer } from "./fuzz/fuzz.ts";
import { unlimitedPlans } from "./fuzz/unlimited-plans.ts";

describe("mutated requests from the OpenAPI document", () => {
  it("cause no server error, and leave no secret and no error in the log", async () => {
    let lines = "";
    const log = createLog("debug", {
      write(line) {
        lines += line;
      },
    });
    const app = await startApp({ log, plansFile: unlimitedPlans(temporaryDirectory()) });
    const fuzzer = await createFuzzer(app.url, OWNER_KEY);
    await fuzzer.run(runs(700), Number(process.env.FUZZ_SEED ?? 1));
    await fuzzer.close();
    const { complaints, byStatus, secrets } = fuzzer.report;
    expect(Object.fromEntries(complaints)).toEqual({});
    // The fuzzer reaches code behind validation, and every kind of refusal.
    for (const status of [200, 201, 400, 401, 403, 404, 405, 415]) {
      expect([status, byStatus.get(status) ?? 0]).toEqual([status, expect.toSatisfy((seen) => seen > 0)]);
    }
    expect([...secrets].filter((secret) => lines.includes(secret))).toEqual([]);
    // At `info`, only the audit trail logs, and the first start.
    const told = lines.split("\n").filter((line) => line !== "" && !line.startsWith('{"level":"debug"'));
    expect(told.filter((line) => JSON.parse(line).audit === undefined)).toEqual([
      expect.stringContaining("the store was empty"),
    ]);
    expect((await app.request("GET", "/health")).status).toBe(200);
  });
});

if (noBadInput) console.warn(`skipped: ${noBadInput}`);

describe.skipIf(noBadInput)("collected bad input", () => {
  it("is accepted or refused as JSON according to the label of each sample", async () => {
    const app = await startApp({ plansFile: unlimitedPlans(temporaryDirectory()) });
    for (const { name, expect: label, bytes } of jsonSamples()) {
      const response = await fetch(`${app.url}/api/v1/track`, {
        method: "POST",
        headers: { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" },
        body: bytes,
      });
      const { error } = (await response.json()) as { error: string };
      const right = {
        accept: ["invalid_request"],
        reject: ["invalid_json"],
        either: ["invalid_request", "invalid_json"],
      };
      expect([name, response.status, right[label].includes(error)]).toEqual([name, 400, true]);
    }
  });

  it("as text breaks no body member, query, path or header", async () => {
    const app = await startApp({ plansFile: unlimitedPlans(temporaryDirectory()) });
    const complaints = new Set<string>();
    for (const text of naughtyStrings()) {
      const inPath = encodeURIComponent(text) || "%20";
      const inHeader = Buffer.from(text)
        .toString("latin1")
        .replace(/[^\x20-\x7e\x80-\xff]/g, "");
      const answers = await Promise.all([
        app.request("POST", "/api/v1/track", { body: { type: "api_calls", metadata: { [text]: text } } }),
        app.request("POST", "/api/v1/events/batch", {
          body: { source: text, events: [{ event: text, id: text }] },
        }),
        app.request("PUT", `/api/v1/projects/${inPath}`, { body: { name: text } }),
        app.request("GET", `/api/v1/usage?from=${inPath}&type=${inPath}`),
        app.request("GET", "/api/v1/account", {
          headers: { "X-Project-Id": inHeader, "User-Agent": inHeader },
        }),
        app.request("POST", "/api/v1/users", { body: { email: text, role: "member" } }),
        app.request("POST", "/auth/device/code", { key: null, body: { client_id: text, scope: text } }),
        app.request("GET", `/${inPath}`, { key: null, headers: { Accept: "text/html" } }),
      ]);
      for (const { status, headers, text: body } of answers) {
        const seen = { status, headers: Object.fromEntries(headers), body };
        for (const complaint of complaintsAbout(seen))
          complaints.add(`${JSON.stringify(text)}: ${complaint}`);
      }
    }
    expect([...complaints]).toEqual([]);
    const listed = await app.request("GET", "/api/v1/projects?limit=200");
    expect(listed.body.items.length).toBeGreaterThan(100);
  });
});
