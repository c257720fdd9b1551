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
  /** Of a path that answers as `answer` says. */
  url: (path?: string) => string;
  received: Request[];
  /** The status of an answer, which may take its time; its body where it has one. */
  answer: (request: Request) => number | Promise<number> | { status: number; body: string; headers?: object };
}

/** An HTTP server on this machine that takes deliveries; gone when the test is over. */
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
  /** What each sending to a webhook came to. */
  attempts: Outcome[];
  by: ReturnType<typeof callerFor>;
  /** Raises, and waits until it is written down and what is due has been tried. */
  tell(...alerts: Alert[]): Promise<void>;
  /** Turns the clock forward in steps of so many milliseconds, each time until what is due was tried. */
  pass(ms: number, step?: number): Promise<void>;
}

/** The alerts of an account of a store of its own, with an owner. */
export async function startAlerts(
  options: { on?: (typeof STORES)[number]; timeoutMs?: number } = {},
): Promise<Plane> {
  const services = await startServices({
    collections: alertsCollections,
    ...(options.on && { on: options.on }),
  });
  return planeOn(services, services.store, options);
}

/** Another server on the same store. */
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

/** An alert of a subject. */
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
