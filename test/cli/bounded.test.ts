import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Running, user } from "./support/tool.ts";

const MAX_MEMORY = 400e6;
const PIECE = Buffer.alloc(256 * 1024, "[0,");

type Answer = (res: ServerResponse, req: IncomingMessage) => void;

async function serving(answer: Answer): Promise<string> {
  const server = createServer((req, res) => {
    req.resume();
    res.setHeader("x-request-id", "req_1");
    answer(res, req);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes `bytes`, or until the client has disconnected. */
function pour(res: ServerResponse, bytes = Number.POSITIVE_INFINITY, piece = PIECE): void {
  let left = bytes;
  const write = () => {
    while (left > 0 && !res.destroyed) {
      left -= piece.length;
      if (!res.write(piece)) return;
    }
    res.end();
  };
  res.on("drain", write);
  write();
}

const json = (res: ServerResponse, status = 200, headers: Record<string, string | number> = {}) =>
  res.writeHead(status, { "content-type": "application/json", ...headers });

/** Waits for the program's end. Also returns its peak resident memory in bytes, from `VmHWM` of proc(5). */
async function watched({ child, finished }: Running) {
  let most = 0;
  const look = setInterval(() => {
    try {
      const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
      most = Math.max(most, 1024 * Number(kilobytes ?? 0));
    } catch {
      // The process has ended.
    }
  }, 5);
  const ended = await finished;
  clearInterval(look);
  const { code, stdout, stderr } = ended;
  return { code, stdout, stderr, most };
}

describe("a command that gets an oversized answer", () => {
  beforeEach(({ skip }) => skip(process.platform !== "linux", "there is no /proc"));

  it.each<[string, string[], Answer, number, string]>([
    ["of JSON", ["whoami"], (res) => pour(json(res)), 1, "with more than 64 MiB, which was not read"],
    [
      "of 3 GB that it announces",
      ["usage"],
      (res) => pour(json(res, 200, { "content-length": 3e9 }), 3e9),
      1,
      "with more than 64 MiB",
    ],
    ["of text", ["api", "GET", "/x"], (res) => pour(res.writeHead(200)), 1, "with more than 64 MiB"],
    [
      "of objects alone, within the bound",
      ["whoami"],
      (res) => json(res).end(`[${"{},".repeat(20 << 20)}{}]`),
      1,
      "with JSON of more than 5 million values",
    ],
    ["that is an error", ["whoami"], (res) => pour(json(res, 500)), 1, "HTTP 500 with more than 1 MiB"],
    [
      "that is compressed",
      ["whoami"],
      (res) => json(res, 200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(200 << 20))),
      1,
      "in the coding gzip",
    ],
    ["to the request for a code", ["login"], (res) => pour(json(res)), 1, "with more than 1 MiB"],
    [
      "in the place of signing keys",
      ["entitlements"],
      (res, req) => {
        if (req.url?.startsWith("/.well-known")) return pour(json(res));
        const account = { account: { id: "a" }, credential: { id: "c" } };
        const signature = `${Buffer.from('{"kid":"k"}').toString("base64url")}.e30.x`;
        json(res).end(JSON.stringify({ ...account, signature }));
      },
      1,
      "with more than 1 MiB",
    ],
    [
      "in an event of a stream",
      ["pair", "watch", "s", "--json"],
      (res, req) => {
        if (req.url?.includes("/events"))
          return pour(res.writeHead(200, { "content-type": "text/event-stream" }));
        json(res).end(
          JSON.stringify({ session: { state: "active", sequence: 1, participants: [] }, files: [] }),
        );
      },
      1,
      "An event of the stream has more than 8 MiB",
    ],
    [
      "in the place of a token",
      ["login", "--no-browser"],
      (res, req) => {
        if (req.url === "/auth/device/token") return pour(json(res));
        const verification_uri = "https://x.example/device";
        const code = { device_code: "d", user_code: "u", verification_uri, expires_in: 2, interval: 0.2 };
        json(res).end(JSON.stringify(code));
      },
      1,
      "expired before it was approved",
    ],
  ])(
    "fails with a clear error and little memory for an answer %s",
    async (_, words, answer, exitCode, message) => {
      const url = await serving(answer);
      const token: Record<string, string> = words[0] === "login" ? {} : { TOOL_TOKEN: "tak_x" };
      const { start } = user({ TOOL_BASE_URL: url, ...token });
      const running = start(words);
      running.child.stdin.end();
      const { code, stdout, stderr, most } = await watched(running);
      expect({ code, said: stderr + stdout }).toEqual({
        code: exitCode,
        said: expect.stringContaining(message),
      });
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(MAX_MEMORY);
    },
  );
});

/** Lets the output be read piece by piece, with pauses. */
function readSlowly({ child: { stdout } }: Running): void {
  stdout.on("data", () => {
    stdout.pause();
    setTimeout(() => stdout.resume(), 1);
  });
}

describe("output that is read slowly", () => {
  beforeEach(({ skip }) => skip(process.platform !== "linux", "there is no /proc"));

  it("is fetched no faster by tool account export, so that the account need not fit into memory", async () => {
    const pages = 250;
    const item = { collection: "agent_memories", value: "x".repeat(1 << 20) };
    const url = await serving((res, req) => {
      const page = Number(new URL(req.url ?? "", url).searchParams.get("cursor") ?? 1);
      const next = page < pages && { nextCursor: String(page + 1) };
      json(res).end(JSON.stringify({ items: [item], ...next }));
    });
    const { start } = user({ TOOL_BASE_URL: url, TOOL_TOKEN: "tak_x" });
    const running = start(["account", "export"]);
    readSlowly(running);
    const { code, stdout: lines, most } = await watched(running);
    expect(code).toBe(0);
    expect(lines.split("\n")).toHaveLength(pages + 1);
    expect(most).toBeLessThan(MAX_MEMORY);
  });

  it("is fetched no faster by tool pair watch", async () => {
    const events = 250;
    const session = {
      id: "s",
      state: "active",
      driver: "ann",
      navigator: "bob",
      sequence: 0,
      participants: [],
    };
    const url = await serving((res, req) => {
      if (!req.url?.includes("/events")) return void json(res).end(JSON.stringify({ session, files: [] }));
      if (req.headers["last-event-id"]) return void res.writeHead(204).end();
      const data = JSON.stringify({ text: "x".repeat(1 << 20) });
      let id = 0;
      const write = () => {
        while (id < events) if (!res.write(`id: ${++id}\nevent: note\ndata: ${data}\n\n`)) return;
        res.end();
      };
      res.writeHead(200, { "content-type": "text/event-stream" }).on("drain", write);
      write();
    });
    const { start } = user({ TOOL_BASE_URL: url, TOOL_TOKEN: "tak_x" });
    const running = start(["pair", "watch", "s", "--json"]);
    readSlowly(running);
    const { code, stdout: lines, most } = await watched(running);
    expect(code).toBe(0);
    expect(lines.split("\n")).toHaveLength(events + 1);
    expect(most).toBeLessThan(MAX_MEMORY);
  });

  it("is written no faster by a command under tool diagnose", async () => {
    const { start } = user();
    const lines = 250 << 10;
    const script = `yes ${"x".repeat(1023)} | head -n ${lines}`;
    const running = start(["diagnose", "--", "sh", "-c", script]);
    readSlowly(running);
    const { code, stdout, most } = await watched(running);
    expect(code).toBe(0);
    expect(stdout.match(/^x+$/gm)).toHaveLength(lines);
    // It keeps the end of the log for the diagnosis.
    expect(most).toBeLessThan(2 * MAX_MEMORY);
  });
});

describe("oversized input", () => {
  beforeEach(({ skip }) => skip(process.platform !== "linux", "there is no /proc"));

  it("is cut to its last lines when tool diagnose reads a log", async () => {
    let sent = "";
    const url = await serving((res, req) => {
      req.setEncoding("utf8").on("data", (piece: string) => {
        sent = (sent + piece).slice(-1000);
      });
      req.on("end", () => json(res).end(JSON.stringify({ cause: null, alsoSeen: [], suggestions: [] })));
    });
    const { start } = user({ TOOL_BASE_URL: url, TOOL_TOKEN: "tak_x" });
    const running = start(["diagnose", "-", "--json"]);
    const line = `${"x".repeat(1023)}\n`;
    const lines = 300 * 1024;
    for (let written = 0; written < lines; written += 1024) {
      if (running.child.stdin.write(line.repeat(1024))) continue;
      await new Promise((drained) => running.child.stdin.once("drain", drained));
    }
    running.child.stdin.end("error: the last line\n");
    const { stderr, code, most } = await watched(running);
    expect(code).toBe(0);
    expect(sent).toContain("error: the last line");
    const left = Number(/its first ([\d,]+) lines were left out/.exec(stderr)?.[1]?.replaceAll(",", ""));
    expect(left).toBeGreaterThan(lines - 64 * 1024);
    expect(left).toBeLessThan(lines);
    expect(most).toBeLessThan(2 * MAX_MEMORY);
  });

  it.each([
    [["review", "-"], "stdin holds more than 60 MiB."],
    [["context", "/dev/zero", "--budget", "10"], "/dev/zero holds more than 16 MiB."],
    [["anomalies", "analyze", "/dev/zero"], "/dev/zero holds more than 64 MiB."],
    [["scheduler", "plan", "/dev/zero"], "/dev/zero holds more than 64 MiB."],
    [["api", "POST", "/x", "--input", "/dev/zero"], "/dev/zero holds more than 64 MiB."],
  ])("is refused by %j", async (words, message) => {
    const { start } = user({ TOOL_BASE_URL: "http://127.0.0.1:9", TOOL_TOKEN: "tak_x" });
    const running = start(words);
    running.child.stdin.on("error", () => {});
    const write = () => {
      while (!running.child.stdin.destroyed && running.child.stdin.write(PIECE));
    };
    running.child.stdin.on("drain", write);
    write();
    const { code, stderr, most } = await watched(running);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(most).toBeLessThan(MAX_MEMORY);
  });
});
