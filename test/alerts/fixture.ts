import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Alert } from "../../src/alerts/alert.ts";
import { type Alerts, createAlerts } from "../../src/alerts/alerts.ts";
import type { Outcome } from "../../src/alerts/attempt.ts";
import { alertsCollections } from "../../src/alerts/model.ts";
import type { Store } from "../../src/store/store.ts";
import { createSendPublic } from "../../src/system/network/public-request.ts";
import { urlChecker } from "../../src/system/network/public-url.ts";
import { callerFor, type Services, startServices } from "../accounts/fixture.ts";
import type { FakeClock } from "../support/clock.ts";
import type { STORES } from "../support/store.ts";

export interface Request {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  /** Returns the URL of a path. */
  url: (path?: string) => string;
  received: Request[];
  /** Returns the status of the answer to a request, with a body and headers if it has any. */
  answer: (request: Request) => number | Promise<number> | { status: number; body: string; headers?: object };
}

/** Starts an HTTP server that receives deliveries, and stops it after the test. */
export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: () => "", received: [], answer: () => 204 };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const taken = {
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    };
    receiver.received.push(taken);
    const answer = await receiver.answer(taken);
    const { status, body = "", headers = {} } = typeof answer === "number" ? { status: answer } : answer;
    response.writeHead(status, headers as Record<string, string>).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  receiver.url = (path = "/hook") => `http://127.0.0.1:${port}${path}`;
  return receiver;
}

export interface Plane extends Services {
  alerts: Alerts;
  warnings: object[];
  /** Outcomes of all delivery attempts. */
  attempts: Outcome[];
  by: ReturnType<typeof callerFor>;
  /** Raises alerts, and waits until they are stored and all due deliveries were attempted. */
  tell(...alerts: Alert[]): Promise<void>;
  /** Advances the clock in steps of milliseconds, and waits after each until all due deliveries were attempted. */
  pass(ms: number, step?: number): Promise<void>;
}

/** Starts alerts of an account with an owner, on a new store. */
export async function startAlerts(
  options: { on?: (typeof STORES)[number]; timeoutMs?: number } = {},
): Promise<Plane> {
  const services = await startServices({
    collections: alertsCollections,
    ...(options.on && { on: options.on }),
  });
  return planeOn(services, services.store, options);
}

/** Starts another server on the same store. */
export function planeOn(
  services: Services,
  store: Store,
  { timeoutMs = 15_000 }: { timeoutMs?: number } = {},
): Plane {
  const { audit, clock, random } = services;
  const warnings: object[] = [];
  const attempts: Outcome[] = [];
  const alerts = createAlerts({
    store,
    audit,
    plainStore: store,
    clock,
    random,
    log: { warn: (details: object) => void warnings.push(details) },
    send: createSendPublic({ allowPrivate: true, timeoutMs, userAgent: "toolplane/test" }),
    checkUrl: urlChecker(true),
    post: services.post,
    onAttempt: (outcome) => void attempts.push(outcome),
    pagesUrl: () => "https://plane.example",
  });
  onTestFinished(() => alerts.close());
  return {
    ...services,
    alerts,
    warnings,
    attempts,
    by: callerFor(services.owner),
    async tell(...raised) {
      for (const alert of raised) {
        alerts.sink.raise(alert);
        await alerts.idle();
      }
    },
    pass: (ms, step = ms) => pass(clock, alerts, ms, step),
  };
}

async function pass(clock: FakeClock, alerts: Alerts, ms: number, step: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(step);
    await alerts.idle();
  }
}

/** Returns an alert about a subject. */
export function anAlert(accountId: string, subject: string, group = subject): Alert {
  const data = {
    projectId: "default",
    group,
    source: "server",
    errorType: "TypeError",
    message: "cart is undefined",
  };
  return { type: "error_group.new", accountId, subject, data };
}
