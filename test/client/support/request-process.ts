/** A test process that sends one request, prints the status, and has nothing left to do. */

import { writeSync } from "node:fs";
import { createTransport } from "../../../src/client/transport/http-transport.ts";

const url = new URL(process.argv[2] as string);
const { status } = await createTransport().send({ method: "GET", url, headers: {}, timeoutMs: 10_000 });
writeSync(1, `${status}\n`);
