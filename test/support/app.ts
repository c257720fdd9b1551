import { onTestFailed, onTestFinished } from "vitest";
import { SCOPES, type Scope } from "../../src/contract/caller.ts";
import { type RunningServer, type StartOptions, startServer } from "../../src/server/main.ts";
import type { ServerConfig } from "../../src/system/config.ts";
import { createLog } from "../../src/system/log.ts";
import {
  type RequestOptions,
  requestsTo,
  type TestRequest,
  type TestResponse,
} from "../../src/testing/request.ts";
import { watchAnswers } from "./openapi/declared-answers.ts";
import { temporaryDirectory } from "./store.ts";

export const OWNER_KEY = "owner-key-for-tests-0123456789abcdef";

export type { RequestOptions, TestResponse };

export interface TestApp extends RunningServer {
  request: TestRequest;
  /** Creates an API key of the owner's account. */
  key(scopes: Scope[], more?: { projectId?: string; expiresAt?: string }): Promise<string>;
  /** Creates another account, and an access token of its owner. */
  account(plan: string): Promise<{ accountId: string; token: string }>;
}

/** Starts a server on a free port with a new store, and closes it after the test. */
export async function startApp(
  options: Partial<ServerConfig> & Omit<StartOptions, "config"> = {},
): Promise<TestApp> {
  const { clock, log, timeouts, onAnswered, ...config } = options;
  const errors: string[] = [];
  const server = await startServer({
    config: {
      host: "127.0.0.1",
      port: 0,
      dataDirectory: config.databaseUrl ? "" : temporaryDirectory(),
      plan: "enterprise",
      allowRemote: false,
      logLevel: "silent",
      owner: { email: "owner@localhost", apiKey: OWNER_KEY },
      ...config,
    },
    ...(clock && { clock }),
    ...(timeouts && { timeouts }),
    ...(onAnswered && { onAnswered }),
    log: log ?? createLog("error", { write: (line) => void errors.push(line) }),
    checkOutputs: true,
  });
  // Shows the cause of a 500, which its answer does not reveal.
  onTestFailed(() => void process.stderr.write(errors.join("")));
  const undeclared = watchAnswers(config.port || Number(new URL(server.url).port), server.app.openApi());
  onTestFinished(async () => {
    await server.close();
    if (undeclared.length > 0) {
      throw new Error(`Answers that /openapi.json does not declare:\n${[...new Set(undeclared)].join("\n")}`);
    }
  });
  let accounts = 0;

  const request = requestsTo(server.url, OWNER_KEY);

  return {
    ...server,
    request,
    async key(scopes, more = {}) {
      const made = await request("POST", "/api/v1/keys", { body: { name: "test", scopes, ...more } });
      if (made.status !== 201) throw new Error(made.text);
      return made.body.secret;
    },
    async account(plan) {
      const ownerEmail = `owner-${++accounts}@example.test`;
      const made = await request("POST", "/api/v1/accounts", { body: { name: plan, ownerEmail, plan } });
      if (made.status !== 201) throw new Error(made.text);
      const accountId: string = made.body.account.id;
      return { accountId, token: await signIn(server, accountId, made.body.signInLink) };
    },
  };
}

/** Signs a device in as the user of a one-time link, and returns its access token. */
async function signIn(server: RunningServer, accountId: string, link: string): Promise<string> {
  const { signIn, devices, tokens } = server.app.services;
  const visitor = { address: "127.0.0.1", userAgent: "test", requestId: "req_test" };
  const session = await signIn.consumeLink(new URL(link).searchParams.get("link") ?? "", visitor);
  const signedIn = await signIn.lookUp(session?.secret ?? "");
  if (!signedIn) throw new Error("the sign-in link does not work");
  const scope = SCOPES.slice(0, 3).join(" ");
  const code = await devices.begin({ client_id: "tool-cli", scope }, visitor);
  const { user, scopes } = signedIn;
  const from = { address: "127.0.0.1", requestId: "req_test" };
  await devices.decide(code.user_code, "approve", { accountId, userId: user.id, scopes, ...from });
  const request = { ...from, url: "", subject: "" };
  return (await tokens.token({ device_code: code.device_code }, request)).access_token;
}
