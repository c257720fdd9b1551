import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { user } from "../support/tool.ts";

/** Starts a server that answers `/ready` with each status in turn, and repeats the last. */
function serverThatAnswers(...statuses: number[]): Promise<string> {
  return serverThatSays("{}", ...statuses);
}

async function serverThatSays(body: string, ...statuses: number[]): Promise<string> {
  const server = createServer((req, res) => {
    const status = req.url === "/ready" ? (statuses.length > 1 ? statuses.shift() : statuses[0]) : 404;
    res.writeHead(status ?? 404, { location: "/health" }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("tool ready", () => {
  it.each([
    [200, 0, "is ready"],
    [503, 1, "answers 503 to /ready"],
    [302, 1, "does not answer"],
  ])("on status %i of /ready exits with %i", async (status, code, said) => {
    const url = await serverThatAnswers(status);
    const answered = await user().tool("ready", "--base-url", url);
    expect(answered.code).toBe(code);
    expect(answered.stdout).toContain(`${url} ${said}`);
  });

  it("reports a server that does not answer, and why", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { code, json } = await user().tool("ready", "--json", "--base-url", url);
    expect(code).toBe(1);
    expect(json).toEqual({ url, ready: false, detail: "does not answer: nothing listens there" });
  });

  it.each([
    ['{"read":true,"write":false}', "reads, writes nothing"],
    ['{"read":false,"write":false}', "answers 503 to /ready"],
    ["null", "answers 503 to /ready"],
    [`{"read":true,"write":false${" ".repeat(5_000)}}`, "answers 503 to /ready"],
  ])("interprets the body %.30s of a 503 answer", async (body, said) => {
    const url = await serverThatSays(body, 503);
    const { code, json } = await user().tool("ready", "--json", "--base-url", url);
    expect([code, json]).toEqual([1, { url, ready: false, detail: said }]);
  });

  it("polls until the server is ready with --wait", async () => {
    const url = await serverThatAnswers(503, 503, 200);
    expect((await user().tool("ready", "--wait", "60", "--base-url", url)).code).toBe(0);
  });
});
