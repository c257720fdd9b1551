import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { isMissing } from "../../support/programs.ts";
import { TOOL, user } from "../support/tool.ts";

describe("tool serve without a terminal", () => {
  it.each(["SIGHUP", "SIGUSR1", "SIGUSR2"] as const)("keeps serving at %s", async (signal) => {
    const { start } = user();
    const server = start(["serve", "--port", "0"]);
    const [, url] = await server.until("stdout", /"url":"([^"]+)"/);
    server.child.kill(signal);
    if (signal !== "SIGHUP")
      await server.until("stderr", new RegExp(`"signal":"${signal}".*changes nothing`));
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect((await fetch(`${url}/health`)).status).toBe(200);
    }
    server.child.kill("SIGTERM");
    const { code, stderr } = await server.finished;
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("Debugger listening")]);
  });
});

describe.skipIf(isMissing("script"))("tool serve on a terminal that is closed", () => {
  /** Starts it in a shell on a terminal. `hangsUp` is whether the shell passes SIGHUP on, as one does to what is not disowned. */
  async function onTerminal({ hangsUp }: { hangsUp: boolean }) {
    const { home, env } = user();
    const port = await freePort();
    const lines = [
      hangsUp ? "trap 'kill -HUP $server' HUP" : "trap '' HUP",
      `${process.execPath} ${TOOL} serve --port ${port} --data data & server=$!`,
      "echo $server > pid; wait $server; code=$?",
      // A wait that a trap interrupted ends before the process does.
      "if kill -0 $server; then wait $server; code=$?; fi; echo $code > code",
    ];
    const words = ["--quiet", "--flush", "--return", "--command", lines.join("\n"), "typescript"];
    const terminal = spawn("script", words, { cwd: home, env: { ...env, TERM: "xterm" }, stdio: "ignore" });
    const written = (name: string) => {
      const path = join(home, name);
      return existsSync(path) ? readFileSync(path, "utf8").trim() : "";
    };
    const health = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ status }) => status,
        () => 0,
      );
    onTestFinished(() => {
      terminal.kill("SIGKILL");
      if (written("code") === "") process.kill(Number(written("pid")), "SIGKILL");
    });
    await expect.poll(() => written("typescript")).toContain("ctrl+c stops");
    return { close: () => terminal.kill("SIGKILL"), written, health, data: join(home, "data") };
  }

  it("ends as at Ctrl-C, with its store closed, when it is hung up", async () => {
    const { close, written, data } = await onTerminal({ hangsUp: true });
    close();
    await expect.poll(() => written("code")).toBe("129");
    expect(readdirSync(data)).toEqual(["journal.jsonl"]);
  });

  it("keeps serving when it is not, as after `disown`", async () => {
    const { close, written, health, data } = await onTerminal({ hangsUp: false });
    close();
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await health()).toBe(200);
    }
    process.kill(Number(written("pid")), "SIGTERM");
    await expect.poll(() => readdirSync(data)).toEqual(["journal.jsonl"]);
  });
});
