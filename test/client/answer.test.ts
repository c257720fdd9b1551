import { describe, expect, it } from "vitest";
import { readAnswer, requestIdOf, retryAfterOf } from "../../src/client/answer.ts";
import { SignedOut, UnexpectedAnswer, Unreachable } from "../../src/client/errors.ts";
import { OAuthError, Problem } from "../../src/contract/problem.ts";

const TARGET = new URL("https://api.example/v1/things?secret=1");
const JSON_TYPE = { "content-type": "application/json" };

interface Given {
  status?: number;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

function read({ status = 200, headers = {}, body }: Given) {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? {} : JSON_TYPE;
  return readAnswer(TARGET, { status, headers: { ...type, ...headers }, body: Buffer.from(text) });
}

function thrownBy(given: Given): unknown {
  try {
    return expect.fail(`took ${JSON.stringify(read(given))} for an answer`);
  } catch (error) {
    return error;
  }
}

it("readAnswer() throws the problem that a JSON-RPC error holds", () => {
  const data = { title: "A credential is needed", status: 401, error: "invalid_token", detail: "Sign in." };
  const body = { jsonrpc: "2.0", id: 1, error: { code: 401, message: "Sign in.", data } };
  const error = thrownBy({ status: 401, body });
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ error: "invalid_token", detail: "Sign in." });
});

describe("readAnswer()", () => {
  it.each(["application/json", "application/json; charset=utf-8", "application/vnd.x+json"])(
    "parses an answer of the type %s as JSON",
    (type) => {
      const answer = read({ headers: { "content-type": type, "x-request-id": "req_1" }, body: '{"a":1}' });
      expect(answer).toMatchObject({ status: 200, body: { a: 1 }, requestId: "req_1" });
    },
  );

  it("returns other types as text, and an empty body as undefined", () => {
    expect(read({ headers: { "content-type": "text/jsonish" }, body: '{"a":1}' }).body).toBe('{"a":1}');
    expect(read({ headers: { "content-type": undefined }, body: "1" }).body).toBe("1");
    expect(read({ headers: JSON_TYPE }).body).toBeUndefined();
  });

  it("accepts 304 and throws UnexpectedAnswer for a redirect", () => {
    expect(read({ status: 304 }).status).toBe(304);
    expect(thrownBy({ status: 300 })).toMatchObject({
      name: "UnexpectedAnswer",
      status: 300,
      message: "https://api.example redirects: set the base URL to where it leads.",
    });
    const headers = { location: "https://b.example/", "x-request-id": "req_1" };
    expect(thrownBy({ status: 308, headers })).toMatchObject({
      requestId: "req_1",
      message: "https://api.example redirects to https://b.example/: set the base URL to where it leads.",
    });
  });

  it("refuses a content coding that was not asked for", () => {
    expect(read({ headers: { "content-encoding": "identity" }, body: {} }).body).toEqual({});
    const message = expect.stringContaining("in the coding gzip, which was not asked for");
    expect(thrownBy({ headers: { "content-encoding": "gzip" }, body: {} })).toMatchObject({ message });
  });

  it("throws UnexpectedAnswer for malformed JSON with 200, and Unreachable with 502", () => {
    const headers = { ...JSON_TYPE, "x-request-id": "req_1" };
    expect(thrownBy({ headers, body: "{" })).toMatchObject({
      status: 200,
      requestId: "req_1",
      message: expect.stringContaining("malformed JSON"),
    });
    expect(thrownBy({ status: 502, headers, body: "{" })).toBeInstanceOf(Unreachable);
  });
});

describe("readAnswer() of an error", () => {
  it.each([
    [{ error: "not_found" }, 404, "not_found"],
    [{ error: "of_the_future" }, 404, "not_found"],
    [{ error: 5 }, 409, "conflict"],
    [{ error: "toString" }, 418, "invalid_request"],
    [{ error: "of_the_future" }, 499, "invalid_request"],
    [{ error: "of_the_future" }, 599, "internal_error"],
  ])("throws for %j with HTTP %d the problem %s", (members, status, error) => {
    const problem = thrownBy({ status, body: { title: "T", ...members } });
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ error });
  });

  it("uses the detail, or the title without one, and keeps extra members and headers", () => {
    const body = { type: "#x", title: "T", status: 409, instance: "req_1", error: "conflict", more: 1 };
    const headers = { "retry-after": "3", "x-none": undefined };
    const problem = thrownBy({ status: 409, headers, body: { ...body, detail: "D" } }) as Problem;
    expect(problem.detail).toBe("D");
    expect(problem.extras).toEqual({ headers: { ...JSON_TYPE, "retry-after": "3" }, members: { more: 1 } });
    expect(thrownBy({ status: 409, body })).toMatchObject({ detail: "T" });
    expect(thrownBy({ status: 409, body: { status: 409, error: "conflict" } })).toMatchObject({ detail: "" });
    const faults = [{ path: "a", message: "is wrong" }];
    expect(thrownBy({ status: 409, body: { ...body, errors: faults } })).toMatchObject({
      extras: { errors: faults },
    });
    expect((thrownBy({ status: 409, body: { ...body, errors: "?" } }) as Problem).extras).not.toHaveProperty(
      "errors",
    );
  });

  it.each([
    ["invalid_scope", 400, "invalid_scope"],
    ["of_the_future", 400, "invalid_request"],
    ["of_the_future", 429, "slow_down"],
    ["of_the_future", 500, "server_error"],
  ])("throws for the OAuth error %s with HTTP %d the OAuthError %s", (error, status, known) => {
    const thrown = thrownBy({ status, body: { error, error_description: "D" } });
    expect(thrown).toBeInstanceOf(OAuthError);
    expect(thrown).toMatchObject({ error: known, status, message: "D" });
    expect(thrownBy({ status, body: { error } })).toMatchObject({ message: error });
  });

  it.each([502, 503, 504])("throws Unreachable for a gateway's %d", (status) => {
    expect(thrownBy({ status, body: "<h1>" })).toMatchObject({
      name: "Unreachable",
      delivery: "unknown",
      status,
      reason: `a gateway answered in its place (HTTP ${status})`,
    });
  });

  it.each([
    [500, "<h1>"],
    [404, { message: "no" }],
    [400, { error: { code: "bad", message: "no" } }],
    [400, null],
    [403, undefined],
  ] as [number, unknown][])(
    "asks whether the base URL is right if the error is not in the API's form: %d, %j",
    (status, body) => {
      const thrown = thrownBy({ status, headers: { "x-request-id": "req_1" }, body });
      expect(thrown).toBeInstanceOf(UnexpectedAnswer);
      expect(thrown).toMatchObject({
        status,
        requestId: "req_1",
        message: `https://api.example/v1/things answered HTTP ${status} in a form that is not this API's: is the base URL right?`,
      });
    },
  );
});

describe("retryAfterOf()", () => {
  const now = Date.UTC(2026, 0, 15, 12);
  const waitOf = (value: string) =>
    retryAfterOf(new Problem("rate_limited", "Later.", { headers: { "retry-after": value } }), now);

  it("returns a number of seconds, or the seconds until a date", () => {
    expect(waitOf("0")).toBe(0);
    expect(waitOf("120")).toBe(120);
    expect(waitOf("Thu, 15 Jan 2026 12:00:30 GMT")).toBe(30);
    expect(waitOf("Thu, 15 Jan 2026 11:00:00 GMT")).toBe(0);
    expect(waitOf("2026-01-15T12:00:00.001Z")).toBe(1);
  });

  it("returns undefined without a header or with an unreadable one", () => {
    expect(waitOf("soon")).toBeUndefined();
    expect(waitOf("5x")).toBeUndefined();
    expect(retryAfterOf(new Problem("rate_limited", "Later."), now)).toBeUndefined();
    expect(retryAfterOf(new Error("odd"), now)).toBeUndefined();
  });
});

it("requestIdOf() returns the request id of an error, if it has one", () => {
  const headers = { "x-request-id": "req_1" };
  expect(requestIdOf(new Problem("conflict", "No.", { headers }))).toBe("req_1");
  expect(requestIdOf(new OAuthError("slow_down", "No.", { headers }))).toBe("req_1");
  expect(requestIdOf(new SignedOut("https://api.example", "refused", "No.", "req_1"))).toBe("req_1");
  expect(requestIdOf(new Problem("conflict", "No."))).toBeUndefined();
  expect(requestIdOf(new Error("odd"))).toBeUndefined();
  expect(requestIdOf("odd")).toBeUndefined();
});
