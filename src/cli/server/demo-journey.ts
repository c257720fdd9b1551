import { join } from "node:path";
import { createEntitlements } from "../../client/entitlements/entitlements.ts";
import { flushQueue } from "../../client/telemetry/flush-queue.ts";
import { createTelemetryQueue } from "../../client/telemetry/telemetry-queue.ts";
import type { Context } from "../context.ts";
import { count } from "../ui/format.ts";
import { usageLines } from "../usage/usage-lines.ts";
import { demoClients } from "./demo-clients.ts";

/** One step of the journey: its title, the command that does it, and the work with its result. */
export interface Step {
  title: string;
  command: string;
  /** Its name in the document of `--json`. */
  name: string;
  work(say: (line: string) => void): Promise<{ lines: string[]; result: unknown }>;
}

const PROJECT = "demo";

/** Returns the steps of a user with a new server, built from the same parts as the commands. */
export function journey(
  context: Context,
  { baseUrl, ownerKey, directory }: { baseUrl: string; ownerKey: string; directory: string },
): Step[] {
  const { clock, random, io } = context;
  const { style, marks } = io.out;
  const { done } = marks;
  const signal = io.interrupted;
  const { api, credentials, signIn } = demoClients(context, { baseUrl, ownerKey, projectId: PROJECT });
  const entitlements = createEntitlements({
    api,
    credentials,
    clock,
    cacheDirectory: join(directory, "cache"),
  });
  const queueAt = { directory: join(directory, "queue"), clock, random };
  const queue = createTelemetryQueue({ ...queueAt, projectId: PROJECT });

  return [
    {
      name: "login",
      title: "Sign in with a code",
      command: "tool login",
      work: async (say) => {
        await signIn(({ userCode, verificationUri }) => {
          say(`Open   ${style.cyan(verificationUri)}`);
          say(`Enter  ${style.bold(userCode)}`);
          say("A person would approve there. The demo does, as the server's owner, over the API.");
        });
        const { user, account, plan, planName, credential } = await api.call("GET /api/v1/account", {});
        return {
          lines: [`${done} signed in as ${user.email} (account ${account.name}, plan ${planName})`],
          result: { user, account, plan, scopes: credential.scopes },
        };
      },
    },
    {
      name: "track",
      title: "Record usage, answered once it is durable",
      command: "tool track agents_invoked --count 3",
      work: async () => {
        const recorded = await api.call(
          "POST /api/v1/track",
          { type: "agents_invoked", count: 3 },
          { signal },
        );
        return {
          lines: [`${done} ${recorded.count} counted, ${recorded.total.day} today`],
          result: recorded,
        };
      },
    },
    {
      name: "events",
      title: "Queue telemetry, sent as one batch",
      command: "tool events record mcp.tool.call; tool events flush",
      work: async () => {
        for (const event of ["mcp.tool.call", "skill.search", "workflow.start", "api.call"])
          queue.record({ event });
        const waiting = queue.contents().events;
        const { error, ...report } = await flushQueue({ ...queueAt, api, signal });
        if (error) throw error;
        return {
          lines: [
            `${done} ${count(waiting, "event")} written to disk, ${report.sent} sent in ${count(report.batches, "request")}`,
          ],
          result: report,
        };
      },
    },
    {
      name: "entitlements",
      title: "Ask what the plan allows, signed to be checked offline",
      command: "tool entitlements --check agents.business",
      work: async () => {
        const resolved = await entitlements.resolve({ signal });
        const answers = ["agents.business", "agents.enterprise"].map((gate) =>
          entitlements.check(gate, resolved),
        );
        return {
          lines: answers.map(({ allowed, reason }) => `${allowed ? done : marks.failed} ${reason}`),
          result: { plan: resolved.document.plan, features: resolved.document.features, checks: answers },
        };
      },
    },
    {
      name: "usage",
      title: "See what was counted",
      command: "tool usage --days 1",
      work: async () => {
        const usage = await api.call("GET /api/v1/usage", { granularity: "day" });
        return {
          lines: usageLines({ ...usage, series: usage.series.slice(-1) }, 1, io.out),
          result: usage.totals,
        };
      },
    },
    {
      name: "logout",
      title: "Sign out",
      command: "tool logout",
      work: async () => {
        const { accessToken, refreshToken } = await api.credential();
        await api.form("/auth/revoke", { token: refreshToken ?? accessToken });
        const refused = await api.call("GET /api/v1/account", {}).then(
          () => false,
          () => true,
        );
        return {
          lines: [
            refused ? `${done} the token is revoked, and refused from now on` : "the token still works",
          ],
          result: { revoked: refused },
        };
      },
    },
  ];
}
