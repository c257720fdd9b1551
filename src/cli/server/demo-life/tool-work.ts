import type { ApiClient } from "../../../client/api-client.ts";
import { iso } from "../../../system/clock.ts";
import { DAY_MS, HOUR_MS } from "../../../system/durations.ts";
import type { Signed, Stage } from "./actors.ts";
import type { Chance } from "./chance.ts";
import { BUILDS, DECISIONS, ERRORS, reportOf } from "./failures.ts";
import { GRAPH, MEMORIES } from "./kept-knowledge.ts";

const FIRST_MEMORY = 17;
const FIRST_METRICS = 44;
const PAIRINGS = [40, 52, 60];

/** Returns the requests to tools that the people and programs of one account make on a day. */
export function toolWork(stage: Stage, chance: Chance) {
  let dsn: URL | undefined;

  async function remember(api: ApiClient, day: number): Promise<void> {
    const memories = MEMORIES[(day - FIRST_MEMORY) / 8];
    if (memories) await api.call("POST /api/v1/tools/agent-memory/store-many", { memories: [...memories] });
    if (day > FIRST_MEMORY && day % 5 === 0) {
      const q = chance.pick(["when do we deploy", "payment timeout", "printing labels", "who reviews"]);
      await api.call("GET /api/v1/tools/agent-memory/recall", { q });
    }
  }

  async function mend(api: ApiClient, day: number): Promise<void> {
    for (const { log, command, exitCode, fix } of BUILDS.filter((build) => build.day === day)) {
      const input = { log, command, exitCode };
      const { diagnosisId } = await api.call("POST /api/v1/tools/self-healing/diagnose", input);
      if (!fix) continue;
      const { text, outcome } = fix;
      await api.call("POST /api/v1/tools/self-healing/record", { diagnosisId, fix: text, outcome });
    }
  }

  /** Analyses hourly figures of the day before, which has anomalies on some days. */
  async function measure(api: ApiClient, day: number, at: number): Promise<void> {
    if (day < FIRST_METRICS) return;
    const points = (mean: number, spread: number, wild: (slot: number) => number) =>
      Array.from({ length: 24 }, (_, slot) => ({
        at: at - DAY_MS + slot * HOUR_MS,
        value: Math.round(chance.about(mean, spread) * wild(slot) * 100) / 100,
      }));
    const metrics = {
      "checkout.latencyMs": points(180, 0.1, (slot) => (day >= 57 && slot > 8 ? 2.1 : 1)),
      "payments.errorRate": points(0.8, 0.3, (slot) => (day === 52 && slot > 13 && slot < 17 ? 9 : 1)),
      "agents.tokensPerCall": points(2400, 0.08, (slot) => (day === 59 && slot === 15 ? 4 : 1)),
    };
    const sessionId = `day-${iso(at - DAY_MS).slice(0, 10)}`;
    const { anomalies } = await api.call("POST /api/v1/tools/anomalies/analyze", { sessionId, metrics });
    const [found] = anomalies;
    if (day === 52 && found) {
      const reason = "The payment provider's outage, known to everybody";
      await api.call("POST /api/v1/tools/anomalies/dismiss/{id}", { id: found.id, reason });
    }
  }

  async function fail(api: ApiClient, day: number, at: number, until: number): Promise<void> {
    if (!dsn) {
      const config = await api.call("GET /api/v1/tools/observability/config", {});
      dsn = new URL(config.errorTracking.dsn);
    }
    const { username, pathname } = dsn;
    const reports = ERRORS.filter(({ from, until: last }) => day >= from && day <= last).flatMap((error) => {
      const times = Math.ceil(chance.about(error.times / (error.until - error.from + 1), 0.5));
      return Array.from({ length: times }, () => {
        const when = Math.min(until, at + 7 * HOUR_MS + Math.floor(chance.next() * 13 * HOUR_MS));
        return reportOf(error, Buffer.from(stage.random.bytes(16)).toString("hex"), when);
      });
    });
    const to = `/api${pathname}/store/?sentry_key=${username}`;
    await Promise.all(reports.map((body) => api.request("POST", to, { body, authenticate: false })));
  }

  async function decide(api: ApiClient, day: number): Promise<void> {
    for (const { query, as } of DECISIONS.filter((decision) => decision.day === day)) {
      const { items } = await api.call("GET /api/v1/tools/observability/errors", { query });
      const fingerprints = items.map(({ fingerprint }) => fingerprint);
      await api.call(`POST /api/v1/tools/observability/errors/${as}`, { fingerprints });
    }
  }

  async function pair(driver: Signed, day: number): Promise<void> {
    if (!PAIRINGS.includes(day)) return;
    const { api } = driver;
    const path = "src/pricing/rate-card.ts";
    const content = "export function priceOf(parcel: Parcel): number {\n  return parcel.grams * 0.002;\n}\n";
    const { session } = await api.call("POST /api/v1/tools/pair/session", {
      title: ["Prices by zone", "Labels in two sizes", "Customs forms without a printer"][
        PAIRINGS.indexOf(day)
      ],
      participants: [
        { id: "dmitri", role: "driver" },
        { id: "agent", role: "navigator" },
      ],
      files: [{ path, content }],
    });
    const sessionId = session.id;
    const change = (author: string, baseRevision: number, from: number, to: number, insert: string) =>
      api.call("POST /api/v1/tools/pair/session/{sessionId}/change", {
        sessionId,
        author,
        path,
        baseRevision,
        edits: [{ from, to, insert }],
      });
    await change("dmitri", 0, 32, 46, "parcel: Parcel, zone: Zone");
    await change("agent", 1, content.indexOf("0.002") + 12, content.indexOf("0.002") + 17, "RATES[zone]");
    await api.call("POST /api/v1/tools/pair/session/{sessionId}/handoff", { sessionId });
    if (day !== PAIRINGS.at(-1))
      await api.call("POST /api/v1/tools/pair/session/{sessionId}/end", { sessionId });
  }

  return {
    /** Makes all requests of the day that begins at `at`, up to `until`. */
    async do(owner: Signed, driver: Signed | undefined, day: number, at: number, until: number) {
      const { api } = owner;
      if (day === 16) await api.call("POST /api/v1/tools/knowledge-graph/import", GRAPH);
      await remember(api, day);
      await mend(api, day);
      await measure(api, day, at);
      if (day >= 31) await fail(api, day, at, until);
      await decide(api, day);
      if (driver) await pair(driver, day);
    },
  };
}
