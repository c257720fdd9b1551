import { getEventListeners, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SignedIn } from "../../src/accounts/sign-in/sessions/signed-in.ts";
import { abortWith, onAbort } from "../../src/system/abort.ts";
import { inTime } from "../../src/system/in-time.ts";
import { createSendPublic } from "../../src/system/network/public-request.ts";
import { createFreshness } from "../../src/web/console/frame/freshness.ts";
import { fakeClock } from "../support/clock.ts";

describe("abortWith()", () => {
  it("aborts a controller with a signal, now or later, for the signal's reason", () => {
    const [before, after] = [new AbortController(), new AbortController()];
    const signal = new AbortController();
    abortWith(signal.signal, before);
    signal.abort("enough");
    abortWith(signal.signal, after);
    expect([before.signal.reason, after.signal.reason]).toEqual(["enough", "enough"]);
  });

  it("does so no more once it is left", () => {
    const [signal, controller] = [new AbortController(), new AbortController()];
    abortWith(signal.signal, controller)();
    signal.abort();
    expect(controller.signal.aborted).toBe(false);
  });
});

it("any number of controllers are aborted with a signal, and Node warns of no leak", async () => {
  const warnings: string[] = [];
  const hear = ({ name }: Error) => warnings.push(name);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  const signal = new AbortController();
  const controllers = Array.from({ length: 50 }, () => new AbortController());
  for (const controller of controllers) abortWith(signal.signal, controller);
  signal.abort();
  await new Promise(setImmediate);
  expect(controllers.filter((each) => !each.signal.aborted)).toEqual([]);
  expect(warnings).not.toContain("MaxListenersExceededWarning");
});

describe("nothing stays with a signal of the whole process", () => {
  /** What Node keeps with a signal: how many listeners there are, and how many signals were made of it. */
  function keptWith(signal: AbortSignal): number {
    const inside = Object.getOwnPropertySymbols(signal).map((key) => Reflect.get(signal, key)?.size);
    const sizes = inside.filter((size): size is number => typeof size === "number");
    return sizes.reduce((all, size) => all + size, getEventListeners(signal, "abort").length);
  }

  async function expectNothingLeft(signal: AbortSignal, act: () => Promise<unknown>): Promise<void> {
    await act();
    const before = keptWith(signal);
    for (let time = 0; time < 5; time++) await act();
    expect(keptWith(signal)).toBe(before);
  }

  it("is seen where something does", async () => {
    const { signal } = new AbortController();
    const act = async () => AbortSignal.any([signal, new AbortController().signal]);
    await expect(expectNothingLeft(signal, act)).rejects.toThrow();
    await expect(expectNothingLeft(signal, async () => onAbort(signal, () => {}))).rejects.toThrow();
  });

  it("of a page that was followed", async () => {
    const made: AbortController[] = [];
    class Seen extends AbortController {
      constructor() {
        super();
        made.push(this);
      }
    }
    vi.stubGlobal("AbortController", Seen);
    onTestFinished(() => void vi.unstubAllGlobals());
    const freshness = createFreshness(fakeClock());
    const [ofAll] = made as [AbortController];
    await expectNothingLeft(ofAll.signal, async () => {
      const gone = new AbortController();
      freshness.follow({ account: { id: "acc" } } as SignedIn, gone.signal, async () => "page");
      gone.abort();
    });
    freshness.stop();
    expect(ofAll.signal.aborted).toBe(true);
  });

  it("of a request to the outside, such as a webhook's", async () => {
    const server = createServer((_, response) => response.end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const send = createSendPublic({ allowPrivate: true, timeoutMs: 60_000, userAgent: "test" });
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { signal } = new AbortController();
    const request = { method: "POST", headers: {}, signal } as const;
    await expectNothingLeft(signal, () => send(url, request, async ({ statusCode }) => statusCode));
  });

  it("of work that was done in time", async () => {
    const { signal } = new AbortController();
    const limit = { clock: fakeClock(), ms: 1000, late: () => undefined, signal };
    await expectNothingLeft(signal, () => inTime(Promise.resolve(), limit));
  });
});
