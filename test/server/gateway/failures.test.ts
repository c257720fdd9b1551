import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/system/log.ts";
import { openConnection } from "../../hardness/raw-connection.ts";
import { OWNER_KEY } from "../../support/app.ts";
import {
  calling,
  counted,
  events,
  json,
  LIST,
  post,
  startBefore,
  startUpstream,
} from "../../support/services/upstream.ts";

/** Calls a tool and lists tools of an upstream that behaves so. Returns the answers, as a model would read them. */
async function told(behaviour: Parameters<typeof startUpstream>[0], rules: object = {}) {
  const upstream = await startUpstream(behaviour);
  const app = await startBefore(upstream.url, { title: "The library", ...rules });
  const { status, text } = await post(app, calling("echo"));
  const { status: other, body } = await post(app, LIST);
  return { app, status, text, other, error: body?.error?.message, counted: await counted(app) };
}

describe("an upstream that fails", () => {
  it("gives a tool error in words if it is down, and is not asked for a while after five failures", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url, { title: "The library" });
    await upstream.stop();
    for (let time = 0; time < 5; time++) {
      const { status, body } = await post(app, calling("echo", {}, time));
      expect([status, body.result.isError, body.result.content[0].text]).toEqual([
        200,
        true,
        "The library cannot be reached at the moment.",
      ]);
    }
    const { status, body } = await post(app, LIST);
    expect([status, body.error.message]).toEqual([
      503,
      "The library has been failing. It is tried again in 1 s.",
    ]);
    expect(await counted(app)).toBe(0);
    const metrics = (await app.request("GET", "/metrics")).text;
    expect(metrics).toContain('toolplane_mcp_upstream_up{upstream="up"} 0');
  });

  it.each([
    [
      "no JSON",
      (_: unknown, res: { end(text: string): void }) => res.end("<html>"),
      "did not answer in JSON",
    ],
    [
      "JSON that breaks off",
      (_: unknown, res: Parameters<typeof json>[0]) =>
        res.writeHead(200, { "Content-Type": "application/json" }).end('{"jsonrpc":"2.0","id":2,'),
      "did not answer the request",
    ],
    [
      "the answer to another request",
      (_: unknown, res: Parameters<typeof json>[0]) => json(res, { jsonrpc: "2.0", id: 99, result: {} }),
      "did not answer the request",
    ],
    [
      "a redirect",
      (_: unknown, res: Parameters<typeof json>[0]) =>
        res.writeHead(307, { Location: "http://169.254.169.254/" }).end(),
      "redirects its requests (307)",
    ],
    [
      "what is compressed, which nobody asked for",
      (_: unknown, res: Parameters<typeof json>[0]) =>
        res
          .writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" })
          .end(gzipSync('{"jsonrpc":"2.0","id":2,"result":{}}')),
      "answered compressed",
    ],
    ["an error of its own", (_: unknown, res: Parameters<typeof json>[0]) => res.writeHead(500).end(), "500"],
    [
      "no belief in who asks",
      (_: unknown, res: Parameters<typeof json>[0]) =>
        res.writeHead(401, { "WWW-Authenticate": "Bearer realm=evil" }).end(),
      "does not accept this server's requests",
    ],
    [
      "that it has accepted the call",
      (_: unknown, res: Parameters<typeof json>[0]) => res.writeHead(202).end(),
      "accepted the request without an answer (202)",
    ],
    [
      "an event without its end",
      (_: unknown, res: Parameters<typeof json>[0]) =>
        res
          .writeHead(200, { "Content-Type": "text/event-stream" })
          .end('data: {"jsonrpc":"2.0","id":2,"result":{"content":[]}}\n'),
      "ended its answer before there was one",
    ],
    [
      "half an answer",
      (_: unknown, res: Parameters<typeof json>[0]) => {
        res.writeHead(200, { "Content-Type": "application/json" }).write('{"jsonrpc"');
        setTimeout(() => res.destroy(), 20);
      },
      "cannot be reached",
    ],
    [
      "half a stream",
      (_: unknown, res: Parameters<typeof json>[0]) => {
        events(res, { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } });
        setTimeout(() => res.destroy(), 20);
      },
      "cannot be reached",
    ],
  ])("gives a tool error if it answers %s, and the call is not counted", async (_, behaviour, words) => {
    const { status, text, counted: count } = await told(behaviour as Parameters<typeof startUpstream>[0]);
    expect([status, count]).toEqual([200, 0]);
    expect(text).toContain(words);
    expect(text).toContain('"isError":true');
    expect(text).not.toMatch(/evil|169\.254/);
  });

  it.each([502, 503, 504])(
    "is down, too, if a proxy before it answers five times with %i",
    async (status) => {
      const upstream = await startUpstream((_, res) => res.writeHead(status, { "Retry-After": "7" }).end());
      const app = await startBefore(upstream.url, { title: "The library" });
      const listed = await post(app, LIST);
      expect([listed.status, listed.headers.get("retry-after")]).toEqual([502, "7"]);
      for (let time = 1; time < 5; time++) {
        const { body } = await post(app, calling("echo", {}, time));
        expect(body.result.content[0].text).toBe(
          `The library failed with the status ${status}. It asks to be tried again in 7 s.`,
        );
      }
      const { body } = await post(app, LIST);
      expect(body.error.message).toMatch("The library has been failing.");
      const metrics = (await app.request("GET", "/metrics")).text;
      expect(metrics).toContain('toolplane_mcp_upstream_up{upstream="up"} 0');
    },
  );

  it("is not down because it fails with 500, which may be due to one tool", async () => {
    const upstream = await startUpstream((_, res) => res.writeHead(500).end());
    const app = await startBefore(upstream.url, { title: "The library" });
    for (let time = 0; time < 6; time++) await post(app, calling("echo", {}, time));
    const { body } = await post(app, LIST);
    expect(body.error.message).toBe("The library failed with the status 500.");
  });

  it("that redirects says in the server's log where to, as the address of a mounted server lacks its slash", async () => {
    const lines: string[] = [];
    const upstream = await startUpstream((_, res) => res.writeHead(307, { Location: "/mcp/" }).end());
    const log = createLog("warn", { write: (line: string) => void lines.push(line) });
    const app = await startBefore(upstream.url, {}, { log });
    await post(app, LIST);
    expect(lines.join("")).toContain("It redirects to /mcp/");
  });

  it("gives a tool error if it does not answer within its timeout", async () => {
    const { text, other, error } = await told(() => {}, { timeoutSeconds: 1 });
    expect(text).toContain("has not answered within 1 s");
    expect([other, error]).toEqual([504, "The library has not answered within 1 s."]);
  });

  it("may answer 8 MiB in pieces, but is cut off at 80 MiB", async () => {
    const piece = "x".repeat(1 << 20);
    const upstream = await startUpstream(({ message }, res) => {
      res.writeHead(200, { "Content-Type": "application/json" });
      const { megabytes } = message.params.arguments;
      res.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"content":[{"type":"text","text":"`);
      let sent = 0;
      const more = () => {
        while (sent < megabytes && !res.destroyed) {
          sent += 1;
          if (!res.write(piece)) return void res.once("drain", more);
        }
        res.end('"}]}}');
      };
      more();
    });
    const app = await startBefore(upstream.url);
    const { body } = await post(app, calling("echo", { megabytes: 8 }));
    expect(body.result.content[0].text).toHaveLength(8 << 20);
    expect(await counted(app)).toBe(1);
    await expect(post(app, calling("echo", { megabytes: 80 }))).rejects.toThrow();
  });

  it("gets 502 for a list too long to filter by plan, but not for one that needs no filter", async () => {
    const upstream = await startUpstream(({ message }, res) => {
      const long = [{ name: "echo", description: "x".repeat(2 << 20) }];
      json(res, { jsonrpc: "2.0", id: message.id, result: { tools: long } });
    });
    const gated = await startBefore(upstream.url, { tools: { "*": { gate: "audit_logs" } } });
    expect((await post(gated, LIST)).status).toBe(502);
    const open = await startBefore(upstream.url);
    expect((await post(open, LIST)).body.result.tools).toHaveLength(1);
  });

  it("may be silent for as long as its timeout, and a client that does not read its answer is cut off", async () => {
    const timeouts = { headers: 60_000, request: 60_000, idle: 60_000, stalled: 300, linger: 100 };
    const statuses: number[] = [];
    // The buffers of both ends do not hold it.
    const text = "x".repeat(8_000_000);
    const upstream = await startUpstream(({ message }, res) => {
      const result = { content: [{ type: "text", text }] };
      setTimeout(() => json(res, { jsonrpc: "2.0", id: message.id, result }), 1000);
    });
    const onAnswered = (_: unknown, status: number) => statuses.push(status);
    const app = await startBefore(upstream.url, { timeoutSeconds: 30 }, { timeouts, onAnswered });
    expect((await post(app, calling("echo"))).body.result.content[0].text).toBe(text);
    const connection = await openConnection(app.url);
    connection.socket.pause();
    const body = JSON.stringify(calling("echo"));
    const head = `POST /mcp/up HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OWNER_KEY}\r\nContent-Type: application/json`;
    connection.send(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await expect.poll(() => statuses.length).toBe(2);
    let bytes = 0;
    connection.socket.on("data", (piece: Buffer) => {
      bytes += piece.length;
    });
    connection.socket.on("error", () => {});
    const closed = new Promise((resolve) => connection.socket.once("close", resolve));
    connection.socket.resume();
    await closed;
    expect(bytes).toBeLessThan(text.length);
  });

  it("leaves room for other accounts when one account has used up its concurrency", async () => {
    let finish: (() => void)[] = [];
    const upstream = await startUpstream(({ message }, res) => {
      finish.push(() => json(res, { jsonrpc: "2.0", id: message.id, result: { content: [] } }));
    });
    const app = await startBefore(upstream.url, { concurrency: 2 });
    const { token } = await app.account("pro");
    const waiting = [1, 2].map((id) => post(app, calling("echo", {}, id)));
    await expect.poll(() => finish.length).toBe(2);
    const refused = await post(app, calling("echo", {}, 3));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    const other = post(app, calling("echo", {}, 4), { key: token });
    await expect.poll(() => finish.length).toBe(3);
    for (const each of finish) each();
    for (const { status } of await Promise.all([...waiting, other])) expect(status).toBe(200);
    finish = [];
    const again = post(app, calling("echo", {}, 5));
    await expect.poll(() => finish.length).toBe(1);
    finish[0]!();
    expect((await again).status).toBe(200);
    expect(await counted(app)).toBe(3);
  });
});

describe("an endless event stream", () => {
  it("starts at once, and ends with its credential, its account and the server", async () => {
    let closed = 0;
    const upstream = await startUpstream((_, res) => {
      res.on("close", () => closed++);
      res.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    });
    const app = await startBefore(upstream.url);
    const key = await app.key(["read"]);
    const open = (secret: string) =>
      fetch(`${app.url}/mcp/up`, {
        headers: { Authorization: `Bearer ${secret}`, Accept: "text/event-stream" },
      });
    const response = await open(key);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    await open(OWNER_KEY);
    const { token } = await app.account("team");
    await open(token);
    const { items } = (await app.request("GET", "/api/v1/keys")).body;
    await app.request("DELETE", `/api/v1/keys/${items[0].id}`);
    await app.request("POST", "/api/v1/account/close", { key: token, body: { name: "team" } });
    await expect.poll(() => closed).toBe(2);
    await app.close();
    await expect.poll(() => closed).toBe(3);
  });
});

describe("a request refused before an upstream is asked", () => {
  it("gets a JSON-RPC error with its id and the problem", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url, {});
    for (const [key, headers, status, error] of [
      ["tak_wrong", {}, 401, "invalid_token"],
      [OWNER_KEY, { Origin: "https://evil.example" }, 403, "forbidden"],
    ] as const) {
      const refused = await post(app, { ...LIST, id: "mine" }, { key, headers });
      expect([refused.status, refused.body.id]).toEqual([status, "mine"]);
      expect(refused.body.error).toMatchObject({ code: status, data: { error, status } });
    }
    const nowhere = await app.request("POST", "/mcp/nowhere", { body: { ...LIST, id: "mine" } });
    expect([nowhere.status, nowhere.body.id, nowhere.body.error.data.error]).toEqual([
      404,
      "mine",
      "not_found",
    ]);
  });
});
