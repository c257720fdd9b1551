import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import type { OpenedStore } from "../../../../src/store/store.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { withClient } from "../../../support/services/postgres.ts";
import { type Databases, eventually, openInstances } from "../databases.ts";

export function presenceSuite({ borrow }: Databases): void {
  it("see each other, and notice when one is closed", async () => {
    const url = await borrow();
    const [one, two] = (await openInstances(url, 2, [])) as [OpenedStore, OpenedStore];
    expect([await one.isOpen(two.opening), await two.isOpen(one.opening)]).toEqual([true, true]);
    await two.close();
    await eventually(async () => !(await one.isOpen(two.opening)));
  });

  it("do not see a closed instance whose connections the database still considers open", async () => {
    const url = await borrow();
    const [one] = (await openInstances(url, 1, [])) as [OpenedStore];
    const [two] = (await openInstances(await neverEnding(url), 1, [])) as [OpenedStore];
    expect(await one.isOpen(two.opening)).toBe(true);
    await two.close();
    expect(await one.isOpen(two.opening)).toBe(false);
  });

  it("stop seeing a hung instance after a few seconds", async () => {
    const url = await borrow();
    const [one] = (await openInstances(url, 1, [])) as [OpenedStore];
    const standing = { ...systemClock, every: () => () => {} };
    const [hung] = (await openInstances(url, 1, [], { clock: standing })) as [OpenedStore];
    expect(await one.isOpen(hung.opening)).toBe(true);
    await eventually(async () => !(await one.isOpen(hung.opening)));
  });

  const cut = (url: string) =>
    withClient(url, (client) =>
      client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      ),
    );

  it("see an instance again after its connection was cut", async () => {
    const url = await borrow();
    const [one, two] = (await openInstances(url, 2, [])) as [OpenedStore, OpenedStore];
    await cut(url);
    await eventually(async () => one.isOpen(two.opening).catch(() => false));
    await eventually(async () => two.isOpen(one.opening).catch(() => false));
  });

  it("listen again however often their connections are cut, without a warning of Node's", async () => {
    const url = await borrow();
    const warned = vi.spyOn(process, "emitWarning");
    onTestFinished(() => warned.mockRestore());
    const impatient = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 5), signal),
    };
    await openInstances(url, 1, [], { clock: impatient });
    for (let times = 0; times < 12; times++) {
      await eventually(async () => Number((await cut(url)).rowCount) > 0);
    }
    expect(warned).not.toHaveBeenCalled();
  });
}

/** PostgreSQL's Terminate message. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

/** Starts a proxy to the database that hides the end of connections from it until the test is over. */
async function neverEnding(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    sockets.push(client, database);
    for (const socket of [client, database]) socket.on("error", () => {});
    database.pipe(client);
    client.on("data", (chunk) => {
      if (!chunk.equals(TERMINATE)) database.write(chunk);
      else client.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return through.href;
}
