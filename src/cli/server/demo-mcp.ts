import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiClient } from "../../client/api-client.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { Reported } from "../terminal/present.ts";
import { table } from "../ui/table.ts";
import { demoClients } from "./demo-clients.ts";
import type { Step } from "./demo-journey.ts";

const PACKAGE = "@modelcontextprotocol/server-everything";
const NAME = "everything";
/** A tool of that server that shows its environment, which the demo restricts to a larger plan. */
const GATED = "get-env";
const GATE = "skills.advanced";
/** Long enough for npm to fetch the package first. */
const READY_MS = MINUTE_MS;

/** Writes the built-in catalogue with the MCP project's example server as an upstream, and returns the file's path. */
export async function writePlans(directory: string): Promise<string> {
  const { packageRoot } = await import("../../system/package.ts");
  const plans = JSON.parse(readFileSync(join(packageRoot, "dist/catalogue.json"), "utf8"));
  const file = join(directory, "plans.json");
  const upstream = {
    name: NAME,
    title: "the example server",
    command: programIn(packageRoot),
    tools: { [GATED]: { gate: GATE } },
  };
  writeFileSync(file, JSON.stringify({ ...plans, upstreams: [upstream] }));
  return file;
}

/** Returns the command of the example server: the installed package, or npx, which fetches it. */
function programIn(packageRoot: string): string[] {
  const installed = join(packageRoot, "node_modules", PACKAGE, "dist/index.js");
  return existsSync(installed) ? [process.execPath, installed, "stdio"] : ["npx", "-y", PACKAGE, "stdio"];
}

/** Returns the steps in which an unmodified MCP server gets a login, a plan and a meter. */
export function mcpJourney(
  context: Context,
  { baseUrl, ownerKey }: { baseUrl: string; ownerKey: string },
): Step[] {
  const { clock, io } = context;
  const { style, marks } = io.out;
  const { done } = marks;
  const signal = io.interrupted;
  const { api, owner, signIn } = demoClients(context, { baseUrl, ownerKey });
  const path = `/mcp/${NAME}`;
  let lastId = 0;

  /** Sends one MCP message, as any client does. */
  async function ask(
    who: ApiClient,
    method: string,
    params: object,
    authenticate = true,
  ): Promise<RpcAnswer> {
    const { body } = await who.request("POST", path, {
      body: JSON.stringify({ jsonrpc: "2.0", id: ++lastId, method, params }),
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      authenticate,
      retry: false,
      signal,
    });
    return body as RpcAnswer;
  }
  const list = (who: ApiClient) => ask(who, "tools/list", {});
  const call = (name: string, given: object) => ask(api, "tools/call", { name, arguments: given });
  const namesOf = (answer: RpcAnswer) => (answer.result?.tools ?? []).map(({ name }) => name);
  const textOf = (answer: RpcAnswer) => answer.result?.content?.[0]?.text ?? answer.error?.message ?? "";

  async function ready(): Promise<string[]> {
    for (const until = clock.monotonic() + READY_MS; ; await clock.sleep(200, signal)) {
      const answer = await list(owner).catch(() => undefined);
      if (answer?.result) return namesOf(answer);
      if (clock.monotonic() < until) continue;
      throw new Reported({
        exitCode: EXIT.failed,
        error: "not_started",
        message: `${PACKAGE} did not start. It comes from npm: offline, install it first (npm install ${PACKAGE}) and try again here.`,
      });
    }
  }

  return [
    {
      name: "upstream",
      title: "An MCP server that nobody here wrote",
      command: `tool serve --mcp ${NAME}="npx -y ${PACKAGE} stdio" --plans plans.json`,
      work: async () => {
        const tools = await ready();
        return {
          lines: [`${done} ${tools.length} tools at ${style.cyan(baseUrl + path)}`],
          result: { url: baseUrl + path, tools },
        };
      },
    },
    {
      name: "stranger",
      title: "A client without a credential",
      command: `curl -X POST ${baseUrl + path}`,
      work: async () => {
        const refused = await ask(api, "tools/list", {}, false).then(
          () => undefined,
          (error: Error) => error.message,
        );
        if (refused === undefined) throw new Error("A client without a credential was let in.");
        return { lines: [`${done} is sent to sign in: ${refused}`], result: { refused } };
      },
    },
    {
      name: "login",
      title: "Signed in",
      command: "tool login",
      work: async (say) => {
        await signIn(({ userCode }) =>
          say(`The demo approves the code ${style.bold(userCode)}, as a person would in a browser.`),
        );
        const { user, plan, planName } = await api.call("GET /api/v1/account", {});
        return { lines: [`${done} as ${user.email}, with the plan ${planName}`], result: { user, plan } };
      },
    },
    {
      name: "call",
      title: "Calls of tools, each counted before its answer leaves",
      command: `echo, get-sum over ${path}`,
      work: async () => {
        const texts = [
          textOf(await call("echo", { message: "Hello" })),
          textOf(await call("get-sum", { a: 19, b: 23 })),
        ];
        const { totals } = await api.call("GET /api/v1/usage", {});
        return {
          lines: [...texts.map((text) => `${done} ${text}`), `  ${totals.mcp_calls} mcp_calls counted`],
          result: { texts, counted: totals.mcp_calls },
        };
      },
    },
    {
      name: "plan",
      title: "A tool that the plan lacks",
      command: `tools: { "${GATED}": { gate: "${GATE}" } }`,
      work: async () => {
        const isListed = namesOf(await list(api)).includes(GATED);
        const told = textOf(await call(GATED, {}));
        const { account } = await api.call("GET /api/v1/account", {});
        await owner.call("PATCH /api/v1/accounts/{accountId}", { accountId: account.id, plan: "pro" });
        const isListedNow = namesOf(await list(api)).includes(GATED);
        if (isListed || !isListedNow) throw new Error(`${GATED} is listed in the wrong plan.`);
        return {
          lines: [
            `${marks.failed} is not listed, and called all the same: ${told}`,
            `${done} with the plan Pro (tool accounts set ${account.id} --plan pro) it is listed`,
          ],
          result: { told },
        };
      },
    },
    {
      name: "use",
      title: "Who called what",
      command: `tool mcp upstreams ${NAME}`,
      work: async () => {
        const shown = await owner.call("GET /api/v1/upstreams/{upstream}", { upstream: NAME });
        const right = { align: "right" } as const;
        return {
          lines: table(
            [
              { title: "Tool" },
              { title: "Calls", ...right },
              { title: "Refused", ...right },
              { title: "95 % within", ...right },
            ],
            (shown.tools ?? []).map(({ tool, calls, refused, p95Ms }) => [
              tool,
              String(calls),
              String(refused),
              p95Ms === null ? "" : `${p95Ms} ms`,
            ]),
            io.out,
          ),
          result: shown.tools,
        };
      },
    },
  ];
}

interface RpcAnswer {
  result?: { tools?: { name: string }[]; content?: { text?: string }[] };
  error?: { message: string };
}
