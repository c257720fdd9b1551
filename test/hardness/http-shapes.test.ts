import { describe, expect, it } from "vitest";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { expectProblem, openConnection, type RawAnswer } from "./raw-connection.ts";

const OWNER = `Host: localhost\r\nAuthorization: Bearer ${OWNER_KEY}\r\n`;
const JSON_POST = `POST /api/v1/track HTTP/1.1\r\n${OWNER}Content-Type: application/json\r\n`;

/** Sends bytes on a new connection, and returns the answers until the server closes it. */
async function say(url: string, bytes: string | Buffer): Promise<RawAnswer[]> {
  const connection = await openConnection(url);
  connection.send(bytes);
  return connection.ended();
}

describe("an ambiguously delimited request", () => {
  it.each([
    ["has both lengths", `${JSON_POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["has two lengths", `${JSON_POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `],
    ["has a list of lengths", `${JSON_POST}Content-Length: 2, 2\r\n\r\n{}`],
    ["has a signed length", `${JSON_POST}Content-Length: +2\r\n\r\n{}`],
    ["has a hexadecimal length", `${JSON_POST}Content-Length: 0x2\r\n\r\n{}`],
    ["names an unknown encoding", `${JSON_POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ["is not chunked last", `${JSON_POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ["has a space before the colon", `${JSON_POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ["folds a header", `${JSON_POST}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`],
    ["ends its lines with a bare line feed", `GET /health HTTP/1.1\nHost: a\n\n`],
    ["has a NUL in a header", `GET /health HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n`],
    [
      "has a chunk size that is no number",
      `${JSON_POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      "has a chunk longer than its size",
      `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX\r\n0\r\n\r\n`,
    ],
    [
      "has a chunk size that overflows",
      `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n${"f".repeat(17)}\r\n{}`,
    ],
  ])("that %s is refused with 400, and the connection is closed", async (_, bytes) => {
    const app = await startApp();
    const answers = await say(app.url, bytes);
    expect(answers).toHaveLength(1);
    expectProblem(answers[0], 400, "invalid_request");
    expect(answers[0]?.headers.connection).toBe("close");
  });
});

describe("requests that Node would answer by itself", () => {
  it.each([
    ["a request without Host", "GET /health HTTP/1.1\r\n\r\n", 400, "invalid_request"],
    [
      "a request with two Hosts",
      "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      400,
      "invalid_request",
    ],
    ["a request for a tunnel", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 405, "method_not_allowed"],
    ["an unknown method", "BREW /health HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_request"],
    ["HTTP/2 without being asked", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "invalid_request"],
    ["a TLS handshake", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "invalid_request"],
    [
      "long headers",
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(17_000)}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
    [
      "a flood of headers",
      `GET / HTTP/1.1\r\nHost: a\r\n${"a: b\r\n".repeat(100_000)}\r\n`,
      431,
      "headers_too_large",
    ],
    ["a long target", `GET /${"a".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, "headers_too_large"],
    [
      "long chunk extensions",
      `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n2;${"a".repeat(17_000)}\r\n{}\r\n0\r\n\r\n`,
      413,
      "payload_too_large",
    ],
  ])("answers %s with a problem and all headers", async (_, bytes, status, error) => {
    const app = await startApp();
    const answers = await say(app.url, bytes);
    expect(answers).toHaveLength(1);
    expectProblem(answers[0], status, error);
  });

  it("answers a request with an unknown Expect header as if it had none", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    connection.send(`${JSON_POST}Expect: tea\r\nContent-Length: 20\r\n\r\n{"type":"api_calls"}`);
    expect((await connection.answers(1))[0]).toMatchObject({ status: 200 });
  });

  it("answers a request for an upgrade as if it had none", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    connection.send("GET /health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    expect((await connection.answers(1))[0]).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  });
});

describe("the target of a request", () => {
  it("may be absolute, and its host is ignored (RFC 9112 §3.2.2)", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    connection.send(`GET http://evil.example/api/v1/account?a=1 HTTP/1.1\r\n${OWNER}\r\n`);
    connection.send(`GET http://evil.example HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n`);
    const [account, page] = await connection.answers(2);
    expectProblem(account, 400, "invalid_request");
    expect(page?.status).toBe(200);
  });

  it.each([
    "//api/v1/account",
    "/api/v1//account",
    "/api/v1/%61ccount",
    "/api/v1/account/",
    "/API/v1/account",
  ])("spelled as %s is answered 404", async (target) => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    connection.send(`GET ${target} HTTP/1.1\r\n${OWNER}\r\n`);
    expectProblem((await connection.answers(1))[0], 404, "not_found");
  });
});

describe("pipelined requests", () => {
  it("are answered in order, each with its own answer", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url);
    const track = `${JSON_POST}Content-Length: 20\r\n\r\n{"type":"mcp_calls"}`;
    const paths = ["/api/v1/account", "/health", "/nothing", "/api/v1/usage"];
    const gets = paths.map((path) => `GET ${path} HTTP/1.1\r\n${OWNER}\r\n`).join("");
    connection.send((gets + track).repeat(20));
    const answers = await connection.answers(100);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill([200, 200, 404, 200, 200]).flat());
    const counts = answers
      .filter((_, index) => index % 5 === 4)
      .map(({ body }) => JSON.parse(body).total.day);
    expect(counts.sort((left, right) => left - right)).toEqual(counts.map((_, index) => index + 1));
  });

  it("are all answered before a malformed one after them is refused", async () => {
    const app = await startApp();
    const answers = await say(app.url, `GET /api/v1/account HTTP/1.1\r\n${OWNER}\r\nNONSENSE\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expectProblem(answers[1], 400, "invalid_request");
  });

  it("do not run a request smuggled behind a refused body", async () => {
    const app = await startApp();
    const smuggled = `POST /api/v1/track HTTP/1.1\r\n${OWNER}Content-Length: 20\r\n\r\n{"type":"mcp_calls"}`;
    const answers = await say(
      app.url,
      `GET /api/v1/account HTTP/1.1\r\n${OWNER}\r\n${JSON_POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n${smuggled}`,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect((await app.request("GET", "/api/v1/usage")).body.totals.mcp_calls).toBe(0);
  });
});

describe("a request that its client breaks off", () => {
  const BROKEN = `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`;

  it("gets 400, but only the first hundred in a second", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const broken = async (count: number) => {
      const connections = await Promise.all(Array.from({ length: count }, () => openConnection(app.url)));
      for (const { socket } of connections) socket.end(BROKEN);
      return (await Promise.all(connections.map((each) => each.ended()))).flat();
    };
    const answers = await broken(130);
    expect(answers).toHaveLength(100);
    for (const answer of answers) expectProblem(answer, 400, "invalid_request");
    clock.advance(1000);
    expect(await broken(3)).toHaveLength(3);
  });

  it("does not cost requests before it their answers", async () => {
    const app = await startApp();
    const connection = await openConnection(app.url, { closeWithServer: false });
    connection.socket.end(`GET /api/v1/account HTTP/1.1\r\n${OWNER}\r\n${BROKEN}`);
    expect((await connection.ended())[0]?.status).toBe(200);
  });
});
