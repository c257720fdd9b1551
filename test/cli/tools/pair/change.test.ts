import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startApp } from "../../../support/app.ts";
import { passOn } from "../../../support/services/pass-on.ts";
import { ownerOf } from "../../support/owner.ts";

/** Starts a server behind a proxy that calls `beforeAnswer` with each accepted change before it passes the answer on. */
async function behindProxy(beforeAnswer: (answer: ServerResponse) => void) {
  const app = await startApp();
  const proxy: Server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    // Of what goes on in the background, the last request may meet a server that closes.
    const answer = await passOn(req, Buffer.concat(chunks), app.url).catch(() => undefined);
    if (!answer) return void res.destroy();
    const body = await answer.text();
    if (req.url?.endsWith("/change") && answer.ok) beforeAnswer(res);
    if (res.destroyed) return;
    res.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
    res.end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close().closeAllConnections());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const person = (name: string) => {
    const { home, ...rest } = ownerOf({ ...app, url }, { USER: name });
    const file = join(home, "a.txt");
    return {
      ...rest,
      write: (text: string) => writeFileSync(file, text),
      read: () => readFileSync(file, "utf8"),
    };
  };
  const [alice, bob] = [person("alice"), person("bob")];
  alice.write("one\ntwo\nthree\n");
  const { json } = await alice.tool("pair", "start", "a.txt", "--with", "bob", "--json");
  const id: string = json.session.id;
  await bob.tool("pair", "show", id, "--write");
  const inSession = async () => (await alice.tool("pair", "show", id, "a.txt")).stdout;
  return { alice, bob, id, inSession };
}

it("tool pair change keeps what is saved in the file while it waits, beside what others changed", async () => {
  let save = () => {};
  const { alice, bob, id, inSession } = await behindProxy(() => save());
  alice.write("ONE\ntwo\nthree\n");
  await alice.tool("pair", "change", id, "a.txt");
  bob.write("one\ntwo\nTHREE\n");
  save = () => bob.write("one\nzwei\nTHREE\n");
  // Its own line of the file, and not those that others changed.
  const first = await bob.tool("pair", "change", id, "a.txt");
  save = () => {};
  expect(first.code).toBe(0);
  expect(first.stdout).toContain("What you saved meanwhile is not sent yet");
  expect(await inSession()).toBe("ONE\ntwo\nTHREE\n");
  expect((await bob.tool("pair", "change", id, "a.txt")).code).toBe(0);
  expect(await inSession()).toBe("ONE\nzwei\nTHREE\n");
});

it("tool pair change leaves the file as it is if others changed what is saved in it while it waits", async () => {
  let save = () => {};
  const { alice, bob, id, inSession } = await behindProxy(() => save());
  alice.write("ONE\ntwo\nthree\n");
  await alice.tool("pair", "change", id, "a.txt");
  bob.write("one\ntwo\nTHREE\n");
  save = () => bob.write("eins\ntwo\nTHREE\n");
  const refused = await bob.tool("pair", "change", id, "a.txt");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("left as you saved it")]);
  expect(bob.read()).toBe("eins\ntwo\nTHREE\n");
  expect(await inSession()).toBe("ONE\ntwo\nTHREE\n");
});

it("tool pair change applies a change once whose answer was lost, and then sends what came later", async () => {
  let lose = false;
  const { bob, id, inSession } = await behindProxy((answer) => {
    if (lose) answer.destroy();
  });
  bob.write("zero\none\ntwo\nthree\n");
  lose = true;
  expect((await bob.tool("pair", "change", id, "a.txt")).code).not.toBe(0);
  lose = false;
  bob.write("zero\none\ntwo\nthree\nfour\n");
  expect((await bob.tool("pair", "change", id, "a.txt")).code).toBe(0);
  expect(await inSession()).toBe("zero\none\ntwo\nthree\nfour\n");
});

it("tool pair change sends nothing of others after show --write has replaced what was unanswered", async () => {
  let lose = false;
  const { alice, bob, id, inSession } = await behindProxy((answer) => {
    if (lose) answer.destroy();
  });
  bob.write("zero\none\ntwo\nthree\n");
  lose = true;
  expect((await bob.tool("pair", "change", id, "a.txt")).code).not.toBe(0);
  lose = false;
  alice.write("one\ntwo\nthree\nfour\n");
  expect((await alice.tool("pair", "change", id, "a.txt")).code).toBe(0);
  expect((await bob.tool("pair", "show", id, "--write", "--force")).code).toBe(0);
  expect((await bob.tool("pair", "change", id, "a.txt")).stdout).toContain("Nothing to send");
  expect(await inSession()).toBe("zero\none\ntwo\nthree\nfour\n");
});

it("tool pair change can be repeated once it is no longer refused", async () => {
  const { alice, bob, id, inSession } = await behindProxy(() => {});
  bob.write("one\ntwo\n");
  expect((await bob.tool("pair", "change", id, "a.txt", "--as", "nobody")).code).not.toBe(0);
  expect((await bob.tool("pair", "change", id, "a.txt", "--as", "bob")).code).toBe(0);
  expect(await inSession()).toBe("one\ntwo\n");
  expect((await alice.tool("pair", "change", id, "a.txt")).code).toBe(0);
});
