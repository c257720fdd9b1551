import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../system/clock.ts";

export interface Address {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Listen on an address that other machines reach. */
  allowRemote: boolean;
}

/** What is written and sent after it takes two seconds at most. */
const GRACE_MS = 7_500;

export function checkHost({ host, allowRemote }: Address): void {
  if (allowRemote || host === "localhost" || host === "::1" || /^127\./.test(host)) return;
  throw new Error(
    `Listening on ${host} would let other machines in. Add --allow-remote if that is meant, with TLS in front and --base-url https://…`,
  );
}

/** The base of links that people open, and of what clients compare: an address of the web, and nothing beside it. */
export function checkAddress(name: string, address: string | undefined): void {
  if (address === undefined) return;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(address);
  if (isPlain) return;
  throw new Error(
    `${name} takes an http or https address, as https://control.example.com, without user, query or fragment; "${withoutSecret(address)}" is none.`,
  );
}

/** An address as it may be shown. */
function withoutSecret(address: string): string {
  return address.replace(/\/\/[^/@]*@/, "//…@");
}

export function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${port} on ${host} is taken. Stop what uses it, or choose another with --port.`)
          : error,
      ),
    );
    server.listen(port, host, () => resolve());
  });
}

export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** In-flight requests get their answer; connections that do not end by then are cut. */
export async function stop(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Those that become idle from now on close, too.
  server.keepAliveTimeout = 1;
  const over = new AbortController();
  const late = clock.sleep(GRACE_MS, over.signal).then(
    () => server.closeAllConnections(),
    () => {},
  );
  await closed;
  over.abort();
  await late;
}
