import { describe, expect, it } from "vitest";
import { Unreachable } from "../../../src/client/errors.ts";
import { failureOf, type Stage } from "../../../src/client/transport/transport-failure.ts";
import { Problem } from "../../../src/contract/problem.ts";

function failure(cause: Error, stage: Stage = "sent") {
  const request = { method: "GET", url: new URL("https://api.example/v1"), headers: {}, timeoutMs: 30_000 };
  return failureOf(cause, stage, request, { connectMs: 5000, idleMs: 30_000 });
}

const coded = (code: string) => Object.assign(new Error("it said so"), { code });

describe("the reason in failureOf()", () => {
  it.each([
    ["CONNECT_TIMEOUT", "no connection within 5 s"],
    ["HEADERS_TIMEOUT", "no answer within 30 s"],
    ["TOO_SLOW", "its answer comes too slowly"],
    ["ECONNREFUSED", "nothing listens there"],
    ["ENOTFOUND", "the name api.example is unknown"],
    ["EAI_AGAIN", "the name api.example could not be looked up"],
    ["ECONNRESET", "the connection was torn before it answered"],
    ["EPIPE", "the connection was torn before it answered"],
    ["ETIMEDOUT", "the connection timed out"],
    ["EHOSTUNREACH", "there is no way to it from this network"],
    ["ENETUNREACH", "there is no way to it from this network"],
    ["EPROTO", "it does not speak TLS on that port"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "it does not speak TLS on that port"],
    ["ERR_SSL_NO_CIPHER", "it and this machine agree on no TLS (ERR_SSL_NO_CIPHER)"],
    ["CERT_HAS_EXPIRED", "its certificate is not trusted (CERT_HAS_EXPIRED)"],
    [
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); NODE_EXTRA_CA_CERTS=<file> trusts the authorities in a file",
    ],
    [
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE); NODE_EXTRA_CA_CERTS=<file> trusts the authorities in a file",
    ],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)"],
    ["HPE_INVALID_CONSTANT", "what listens there does not speak HTTP"],
    ["HPE_HEADER_OVERFLOW", "its answer begins with more headers than are read"],
    ["ESTRANGE", "it said so (ESTRANGE)"],
  ])("is for the code %s: %s", (code, reason) => {
    expect(failure(coded(code))).toMatchObject({ baseUrl: "https://api.example", reason });
  });

  it("is the cause's message if it has no code", () => {
    expect(failure(new Error("odd"))).toMatchObject({ reason: "odd" });
  });

  it("is that of the first address if all addresses of a name fail", () => {
    const errors = [coded("ENETUNREACH"), coded("ECONNREFUSED")];
    const reason = "there is no way to it from this network";
    expect(failure(new AggregateError(errors))).toMatchObject({ reason });
  });

  it("says that the answer stopped half way if it had begun", () => {
    expect(failure(coded("ECONNRESET"), "answered")).toMatchObject({ reason: "its answer stopped half way" });
  });
});

it.each([
  ["CERT_HAS_EXPIRED", "renews its certificate"],
  ["CERT_NOT_YET_VALID", "clock"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "by a name that its certificate is for"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "which authority issued"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the whole chain"],
])("failureOf() says for %s what to do: %s", (code, next) => {
  expect(failure(coded(code))).toMatchObject({ next: expect.stringContaining(next) });
});

it("failureOf() leaves it open what to do about a server that is away", () => {
  expect(failure(coded("ECONNREFUSED"))).toMatchObject({ next: undefined });
});

it('failureOf() reports delivery "never" only before the request was sent', () => {
  const deliveries = (["connecting", "sent", "answered"] as const).map((stage) => {
    const error = failure(coded("ETIMEDOUT"), stage);
    expect(error).toBeInstanceOf(Unreachable);
    return (error as Unreachable).delivery;
  });
  expect(deliveries).toEqual(["never", "unknown", "unknown"]);
});

it.each([
  ["ECONNRESET", true],
  ["EPIPE", true],
  ["ECONNREFUSED", false],
  ["ETIMEDOUT", false],
])("failureOf() reports for %s whether the connection was torn: %s", (code, torn) => {
  expect(failure(coded(code))).toMatchObject({ torn });
});

it.each([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_HTTP_INVALID_HEADER_VALUE",
  "ERR_UNESCAPED_CHARACTERS",
  "ERR_INVALID_ARG_VALUE",
  "ERR_INVALID_ARG_TYPE",
])("failureOf() returns invalid_request for %s", (code) => {
  const error = failure(coded(code));
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ error: "invalid_request", message: expect.stringContaining("it said so") });
});
