import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A port that was free a moment ago, for what has to be told its address before it listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
