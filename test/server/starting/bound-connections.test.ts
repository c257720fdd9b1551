import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { boundConnections } from "../../../src/server/starting/bound-connections.ts";
import { createLog } from "../../../src/system/log.ts";
import { maxOpenFiles } from "../../../src/system/processes/open-files.ts";
import { fakeClock } from "../../support/clock.ts";

it("bounds connections by the files that may be open, keeps 64 of these free, and logs what it closes", async () => {
  const lines: string[] = [];
  const clock = fakeClock();
  const log = createLog("warn", { write: (line) => void lines.push(line) });
  const server = createServer((_, res) => res.end("served"));
  boundConnections(server, { clock, log, openFiles: 66 });
  server.listen(0, "127.0.0.1");
  const opened: Socket[] = [];
  onTestFinished(() => {
    for (const socket of opened) socket.destroy();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  /** Returns what a connection hears of its request. */
  async function ask(): Promise<string> {
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    opened.push(socket);
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    return new Promise((resolve) => {
      socket.once("data", resolve);
      socket.once("close", () => resolve("closed"));
    });
  }
  expect(await ask()).toContain("served");
  expect(await ask()).toContain("served");
  expect(lines).toEqual([]);
  expect([await ask(), await ask()]).toEqual(["closed", "closed"]);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "warn", connections: 2, openFiles: 66 });
  clock.advance(10_000);
  await ask();
  expect(lines).toHaveLength(2);

  opened[0]?.destroy();
  await once(opened[0] as Socket, "close");
  // The server learns of it a little later.
  while ((await new Promise<number>((resolve) => server.getConnections((_, n) => resolve(n)))) > 1);
  expect(await ask()).toContain("served");
});

it("keeps a quarter free where many files may be open", () => {
  const ports = { clock: fakeClock(), log: createLog("silent") };
  const bounded = (openFiles: number | undefined) => {
    const server = createServer();
    boundConnections(server, { ...ports, openFiles });
    return server.maxConnections;
  };
  expect(bounded(1000)).toBe(750);
  expect(bounded(10)).toBe(1);
});

it.runIf(process.platform === "linux")("knows how many files this process may open", () => {
  expect(maxOpenFiles()).toBe(
    (process.report.getReport() as { userLimits: { open_files: { soft: number } } }).userLimits.open_files
      .soft,
  );
});
