import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ALERTS } from "../../src/alerts/alert.ts";
import { signedHeaders } from "../../src/alerts/signature.ts";
import { packageRoot } from "../../src/system/package.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryDirectory } from "../support/store.ts";

const page = readFileSync(join(packageRoot, "docs/alerts.md"), "utf8");

it.each(Object.entries(ALERTS))("the example of the alert %s matches its schema", (_, { data, example }) => {
  expect(data.parse(example)).toEqual(example);
});

it("the Node receiver in docs/alerts.md accepts only bodies signed with its secret", async () => {
  const [, program = ""] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
  const directory = temporaryDirectory();
  symlinkSync(join(packageRoot, "node_modules"), join(directory, "node_modules"));
  writeFileSync(join(directory, "receiver.mjs"), program);
  const secret = Buffer.alloc(32, 7).toString("base64");
  const port = String(await freePort());
  const child = spawn(process.execPath, [join(directory, "receiver.mjs")], {
    env: { PATH: process.env.PATH, PORT: port, WEBHOOK_SECRET: `whsec_${secret}` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const body = JSON.stringify({
    type: "limit.reached",
    timestamp: new Date().toISOString(),
    data: { a: "ü" },
  });
  const headers = signedHeaders({ secret }, { id: "alt_1", body, now: Date.now() });
  const send = (sent: string) => fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: sent });
  await until(() => send("{}").then(() => true));
  const printed = once(child.stdout, "data");
  expect((await send(body)).status).toBe(204);
  expect(String((await printed)[0])).toContain("limit.reached");
  expect((await send(body.replace("ü", "u"))).status).toBe(400);
});

async function until(work: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await work().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the receiver did not start");
}
