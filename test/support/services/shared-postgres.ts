import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres, withClient } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL that answers with the URL of the shared PostgreSQL. */
    sharedPostgres: string;
  }
}

/** Global setup: one PostgreSQL for all tests that only need a database, started on the first request for it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | undefined;
  const server = createServer((_, response) => {
    started ??= startPostgres();
    started.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  provide("sharedPostgres", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    await (await started)?.stop();
  };
}

/** Creates an empty database on the shared PostgreSQL, for tests that do not stop the server. Returns its URL. */
export async function createDatabase(): Promise<string> {
  const answer = await fetch(inject("sharedPostgres"));
  const url = await answer.text();
  if (!answer.ok) throw new Error(url);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await withClient(url, (client) => client.query(`CREATE DATABASE ${name}`));
  return url.replace(/\w+$/, name);
}
