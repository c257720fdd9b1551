import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { ownerOf } from "../support/owner.ts";

/** Starts a server of an earlier version that does not know a member, and refuses it as an unknown one. */
async function earlierServer(unknown: string) {
  const app = await startApp();
  const asked: string[][] = [];
  const server = createServer((request, response) => {
    // A command may hang up before it is answered.
    pass(request, response).catch(() => response.destroy());
  });
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const sent = body === "" ? {} : JSON.parse(body);
    if (request.url?.startsWith("/api/v1/tools/")) asked.push(Object.keys(sent));
    const refused = unknown in sent;
    const answer = await fetch(`${app.url}${request.url}`, {
      method: request.method as string,
      headers: { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" },
      // The real server writes the error, for an unknown member of another name.
      ...(body !== "" && {
        body: refused ? JSON.stringify({ ...without(sent, unknown), unheardOf: 1 }) : body,
      }),
    });
    const answered = await answer.text();
    response.writeHead(answer.status, {
      "Content-Type": answer.headers.get("Content-Type") ?? "",
      "X-Request-Id": answer.headers.get("X-Request-Id") ?? "",
    });
    response.end(refused ? answered.replaceAll("unheardOf", unknown) : answered);
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function without(sent: Record<string, unknown>, member: string): object {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== member));
}

describe("a server of the previous version", () => {
  it("is asked for a review without files, with a message", async () => {
    const { url, asked } = await earlierServer("files");
    const { tool, home, env } = ownerOf({ url });
    const git = (...words: string[]) => execFileSync("git", words, { cwd: home, env });
    git("init", "--quiet");
    writeFileSync(join(home, "a.js"), "let a;\n");
    git("add", "a.js");
    git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "--quiet", "--message", "a");
    writeFileSync(join(home, "a.js"), "eval(request.query.x);\n");
    const { code, stdout, stderr } = await tool("review");
    expect(stdout).toContain("a.js");
    expect(stderr).toContain("The server is of an earlier version: asked without files.");
    expect(asked.map((members) => members.includes("files"))).toEqual([true, false]);
    expect(code).toBe(0);
  });

  it("is asked for a context without headings, but not again after another error", async () => {
    const { url, asked } = await earlierServer("headings");
    const { tool, home } = ownerOf({ url });
    for (const name of ["a.md", "b.md"]) writeFileSync(join(home, name), "One two three. Four five six.\n");
    const { stdout, stderr } = await tool("context", "a.md", "b.md", "--budget", "50");
    expect(stdout).toBe("One two three. Four five six.\n".repeat(2));
    expect(stderr).toContain("asked without headings");
    expect(asked).toHaveLength(2);
    const wrong = await tool("context", "a.md", "b.md", "--budget", "50", "--query", "x".repeat(20_000));
    expect(wrong.code).not.toBe(0);
    expect(asked).toHaveLength(3);
  });
});
