import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, onTestFailed, onTestFinished } from "vitest";
import { SCOPES, type Scope } from "../../src/contract/caller.ts";
import {
  type RunningServer,
  type StartOptions,
  startServer,
} from "../../src/server/starting/start-server.ts";
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

type Options = Partial<ServerConfig> & Omit<StartOptions, "config">;

/** Starts a server on a free port with a new store, and closes it after the test. */
export async function startApp(options: Options = {}): Promise<TestApp> {
  const dataDirectory = options.databaseUrl ? "" : temporaryDirectory();
  const { app, said, stop } = await launchApp({ dataDirectory, ...options });
  // Shows the cause of a 500, which its answer does not reveal.
  onTestFailed(() => void process.stderr.write(said()));
  onTestFinished(stop);
  return app;
}

/**
 * Starts a server as `startApp` does, for all tests of a file that need some server, but not an empty one. It is there
 * from the first test on. Call it outside of tests.
 */
export function sharedApp(): () => TestApp {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-"));
  let launched: Awaited<ReturnType<typeof launchApp>> | undefined;
  beforeAll(async () => {
    launched = await launchApp({ dataDirectory: directory });
  });
  afterEach(({ task }) => {
    if (task.result?.state === "fail") process.stderr.write(launched?.said() ?? "");
  });
  afterAll(async () => {
    await launched?.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return () => {
    if (!launched) throw new Error("the server is started before the first test");
    return launched.app;
  };
}

async function launchApp(
  options: Options & { dataDirectory: string },
): Promise<{ app: TestApp; said: () => string; stop: () => Promise<void> }> {
  const { clock, log, timeouts, onAnswered, ...config } = options;
  const errors: string[] = [];
  const server = await startServer({
    config: {
      host: "127.0.0.1",
      port: 0,
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
  const undeclared = watchAnswers(config.port || Number(new URL(server.url).port), server.app.openApi());
  const stop = async () => {
    await server.close();
    if (undeclared.length > 0) {
      throw new Error(`Answers that /openapi.json does not declare:\n${[...new Set(undeclared)].join("\n")}`);
    }
  };
  let accounts = 0;

  const request = requestsTo(server.url, OWNER_KEY);

  const app: TestApp = {
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
  return { app, said: () => errors.join(""), stop };
}

/** Signs a device in as the user of a one-time link, and returns its access token. */
export async function signIn(
  server: Pick<RunningServer, "app">,
  accountId: string,
  link: string,
): Promise<string> {
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
