import { describe, expect, it } from "vitest";
import { UnexpectedAnswer } from "../../../src/client/errors.ts";
import { readRefused, sealedFiles, writeBatch } from "../../../src/client/telemetry/batch-files.ts";
import type { Batch } from "../../../src/client/telemetry/batches.ts";
import { deliver } from "../../../src/client/telemetry/delivery.ts";
import { OAuthError, Problem } from "../../../src/contract/problem.ts";
import { iso } from "../../../src/system/clock.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const HOUR = 60 * 60_000;
const TELEMETRY: Batch = {
  id: "bat_1",
  path: "/api/v1/events/batch",
  projectId: "web",
  body: { source: "tool-cli", events: [{ id: "a" }, { id: "b" }, { id: "c" }] },
  events: 3,
  oldestAt: iso(NOON),
};
const TRACK: Batch = {
  id: "use_1",
  path: "/api/v1/track",
  body: { type: "api_calls" },
  events: 1,
  oldestAt: iso(NOON),
};

/** Delivers a batch. Returns the requests, the remaining files and those that were set aside. */
async function delivered(batch: Batch, answer: () => unknown, now = NOON) {
  const directory = temporaryDirectory();
  writeBatch(directory, "jrn-1", batch);
  const [file] = sealedFiles(directory);
  const asked: unknown[][] = [];
  const api = {
    async request(...of: unknown[]) {
      asked.push(of);
      return { body: answer(), requestId: "req_1" };
    },
  };
  const outcome = await deliver(file!, { directory, api: api as never, clock: fakeClock(now) }).catch(
    (error) => error,
  );
  return { outcome, asked, isLeft: sealedFiles(directory).length > 0, refused: readRefused(directory) };
}

/** What every error of a server has. */
const ANSWERED = { headers: { "x-request-id": "req_1" } };

const failing = (error: Error) => () => {
  throw error;
};

describe("deliver()", () => {
  it("sends the batch as sealed and removes its file after an answer", async () => {
    for (const answer of [{ results: [] }, { results: [{ index: 0, status: "accepted" }] }]) {
      const { outcome, asked, isLeft, refused } = await delivered(TELEMETRY, () => answer);
      expect(outcome).toEqual({ sent: 3, refused: 0 });
      expect(asked).toEqual([
        [
          "POST",
          "/api/v1/events/batch",
          { body: TELEMETRY.body, idempotencyKey: "bat_1", projectId: "web", signal: undefined },
        ],
      ]);
      expect([isLeft, refused]).toEqual([false, []]);
    }
    const { asked, isLeft } = await delivered(TRACK, () => ({ recorded: true }));
    expect(isLeft).toBe(false);
    expect(asked).toMatchObject([["POST", "/api/v1/track", { idempotencyKey: "use_1", projectId: null }]]);
  });

  it("keeps a batch that something else answered with 200, such as a proxy's sign-in page", async () => {
    for (const answer of [
      undefined,
      null,
      "<html>Sign in</html>",
      {},
      { ok: true },
      { results: "none" },
      [],
    ]) {
      for (const batch of [TELEMETRY, TRACK]) {
        const { outcome, isLeft, refused } = await delivered(batch, () => answer);
        expect(outcome).toBeInstanceOf(UnexpectedAnswer);
        expect(outcome.message).toContain(batch.path);
        expect([isLeft, refused]).toEqual([true, []]);
      }
    }
  });

  it("keeps a batch that something else refused, which has no request id", async () => {
    for (const error of ["invalid_request", "payload_too_large", "unprocessable"] as const) {
      const { outcome, isLeft, refused } = await delivered(TELEMETRY, failing(new Problem(error, "no")));
      expect([outcome.error, isLeft, refused]).toEqual([error, true, []]);
    }
  });

  it("sets aside the events that the server rejected, naming each distinct reason once", async () => {
    const results = [
      { index: 0, status: "rejected", error: "events.0: too old" },
      { index: 1, status: "accepted" },
      { index: 2, status: "rejected" },
    ];
    const { outcome, isLeft, refused } = await delivered(TELEMETRY, () => ({ results }));
    expect(outcome).toEqual({ sent: 1, refused: 2 });
    expect(isLeft).toBe(false);
    expect(refused).toEqual([
      {
        ...TELEMETRY,
        body: { source: "tool-cli", events: [{ id: "a" }, { id: "c" }] },
        events: 2,
        error: "rejected",
        detail: "events.0: too old no reason given",
        requestId: "req_1",
        refusedAt: iso(NOON),
      },
    ]);
    const same = results.map((result) => ({ ...result, status: "rejected", error: "the same" }));
    const all = await delivered(TELEMETRY, () => ({ results: same }));
    expect(all.outcome).toEqual({ sent: 0, refused: 3 });
    expect(all.refused).toMatchObject([{ detail: "the same", events: 3 }]);
  });

  it("sets aside a batch that fails with invalid_request, with the problem's detail", async () => {
    const fault = new Problem("invalid_request", "It is not in order.", {
      ...ANSWERED,
      errors: [
        { path: "type", message: "is unknown" },
        { path: "count", message: "is none" },
      ],
    });
    const { outcome, isLeft, refused } = await delivered(TRACK, failing(fault));
    expect([outcome, isLeft]).toEqual([{ sent: 0, refused: 1 }, false]);
    expect(refused).toMatchObject([
      {
        ...TRACK,
        error: "invalid_request",
        detail: "It is not in order. type: is unknown count: is none",
        refusedAt: iso(NOON),
      },
    ]);
  });

  it.each([
    [400, "invalid_request", true],
    [413, "payload_too_large", true],
    [415, "unsupported_media_type", true],
    [422, "idempotency_mismatch", true],
    [409, "project_archived", true],
    [409, "conflict", false],
    [401, "invalid_token", false],
    [403, "insufficient_scope", false],
    [404, "not_found", false],
    [429, "rate_limited", false],
    [500, "internal", false],
    [503, "overloaded", false],
  ])("after HTTP %i %s sets the batch aside: %s", async (status, error, isRefused) => {
    const problem = new Problem("invalid_request", "no", ANSWERED);
    Object.defineProperty(problem, "status", { value: status });
    Object.defineProperty(problem, "error", { value: error });
    const { outcome, isLeft, refused } = await delivered(TELEMETRY, failing(problem));
    expect(refused.map((each) => each.error)).toEqual(isRefused ? [error] : []);
    expect(isLeft).toBe(!isRefused);
    if (!isRefused) expect(outcome).toBe(problem);
  });

  it("keeps the batch after an unexpected error or an OAuth error", async () => {
    for (const error of [new Error("torn"), new OAuthError("invalid_request", "no")]) {
      const { outcome, isLeft, refused } = await delivered(TELEMETRY, failing(error));
      expect([outcome, isLeft, refused]).toEqual([error, true, []]);
    }
  });

  it("sends usage events for 23 hours only, and telemetry at any age", async () => {
    const inTime = await delivered(TRACK, () => ({ recorded: true }), NOON + 23 * HOUR);
    expect(inTime.outcome).toEqual({ sent: 1, refused: 0 });
    const late = await delivered(TRACK, () => ({ recorded: true }), NOON + 23 * HOUR + 1);
    expect(late.outcome).toEqual({ sent: 0, refused: 1 });
    expect([late.asked, late.isLeft]).toEqual([[], false]);
    expect(late.refused).toMatchObject([{ error: "unanswered", detail: expect.stringMatching(/twice/) }]);
    const telemetry = await delivered(TELEMETRY, () => ({ results: [] }), NOON + 1000 * HOUR);
    expect(telemetry.outcome).toEqual({ sent: 3, refused: 0 });
  });
});
