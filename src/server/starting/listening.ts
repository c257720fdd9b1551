import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import { isLoopbackAddress } from "../../system/network/loopback.ts";

export interface Address {
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Whether addresses that other machines can reach are allowed. */
  allowRemote: boolean;
}

/** How long requests in flight may take to finish. Writing and sending what is left then takes at most 2 s. */
const GRACE_MS = 7_500;

/** Returns an address as the system takes it: one of IPv6 without the brackets that it has in URLs. */
function bareHost(host: string): string {
  return /^\[(.+)\]$/.exec(host)?.[1] ?? host;
}

export function checkHost({ host, allowRemote }: Address): void {
  if (allowRemote || host === "localhost" || isLoopbackAddress(bareHost(host))) return;
  throw new Error(
    `Listening on ${host} would let other machines in. Say allowRemote or --allow-remote if that is meant, with TLS in front and an https address as baseUrl or --base-url.`,
  );
}

export function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(refusalOf(error, host, port)));
    server.listen(port, bareHost(host), () => resolve());
  });
}

/** Says what is wrong with an address in the words of who chose it. */
function refusalOf(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new Error(
        `Port ${port} on ${host} is taken. Stop what uses it, or choose another with --port.`,
        { cause: error },
      );
    case "EACCES":
      return new Error(
        `Port ${port} is not for you: the system keeps the low ones, as a rule those below 1024. ` +
          "Choose a higher one with --port, and put a proxy in front of it.",
        { cause: error },
      );
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "EINVAL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new Error(
        `${host} is no address of this machine (${error.code}). ` +
          "--host takes one that is, such as 127.0.0.1 or ::1, or 0.0.0.0 for all of them.",
        { cause: error },
      );
    default:
      return error;
  }
}

/** Returns the URL of a server. If it listens on every address, this is one at which a client of the machine reaches it. */
export function addressOf(server: Server, host: string): string {
  const { port, address } = server.address() as AddressInfo;
  const name = EVERY_ADDRESS.includes(address) ? "127.0.0.1" : bareHost(host);
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

const EVERY_ADDRESS = ["0.0.0.0", "::", "::ffff:0.0.0.0"];

/** Stops a server. Requests in flight get their answer; connections still open after `GRACE_MS` are cut. */
export async function stop(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Connections that become idle from now on close, too.
  server.keepAliveTimeout = 1;
  await inTime(closed, { clock, ms: GRACE_MS, late: () => server.closeAllConnections() });
  await closed;
}
