import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { requestsTo } from "../../src/testing/request.ts";
import { OWNER_KEY } from "../support/app.ts";
import { freePort } from "../support/free-port.ts";
import { isMissing, runProgram, startProgram } from "../support/programs.ts";
import { startServe } from "../support/serve.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { temporaryDirectory } from "../support/store.ts";

interface Service {
  command: string[];
  environment: Record<string, string>;
  healthcheck: { test: string[] };
  volumes: string[];
  secrets: string[];
  depends_on: Record<string, unknown>;
}
const read = (file: string) =>
  parseYaml(readFileSync(join(packageRoot, file), "utf8")) as { services: Record<string, Service> };
const { toolplane, pgbouncer } = read("compose.pgbouncer.yaml").services as Record<
  "toolplane" | "pgbouncer",
  Service
>;
const PASSWORD = "correct horse";

/** Replaces words in a text, each of which must occur. */
function replaced(text: string, words: Record<string, string>): string {
  return Object.entries(words).reduce((result, [from, to]) => {
    expect(result).toContain(from);
    return result.replaceAll(from, to);
  }, text);
}

describe("compose.pgbouncer.yaml", () => {
  it("connects the server through PgBouncer, and directly to the database of compose.yaml", () => {
    const { services } = read("compose.yaml");
    const { TOOL_DATABASE_URL, TOOL_DATABASE_DIRECT_URL } = toolplane.environment;
    expect(TOOL_DATABASE_DIRECT_URL).toBe(services.toolplane?.environment.TOOL_DATABASE_URL);
    expect(new URL(TOOL_DATABASE_URL as string)).toMatchObject({ hostname: "pgbouncer", port: "6432" });
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(pgbouncer.depends_on)));
    expect(pgbouncer.secrets).toEqual(services.toolplane?.secrets);
  });

  // Tests run without Docker, and do with the same file what it would do.
  it.skipIf(isMissing("pgbouncer", "pg_isready"))("serves requests through PgBouncer", async () => {
    const folder = temporaryDirectory();
    chmodSync(folder, 0o777);
    const direct = new URL(await createDatabase());
    const port = String(await freePort());
    const [ini = "", inside = ""] = pgbouncer.volumes[0]?.split(":") ?? [];
    const configured = replaced(readFileSync(join(packageRoot, ini), "utf8"), {
      "toolplane = host=db.internal port=5432": `* = host=db.internal port=${direct.port}`,
      "listen_port = 6432": `listen_port = ${port}`,
    });
    writeFileSync(join(folder, "mounted.ini"), configured);
    writeFileSync(join(folder, "password"), `${PASSWORD}\n`);
    const [shell = "", flags = "", script = ""] = pgbouncer.command;
    const here = replaced(script, {
      $$: "$",
      "/tmp/": `${folder}/`,
      "/run/secrets/database-password": join(folder, "password"),
      "/postgres/": `/${direct.hostname}/`,
      '"toolplane"': '"postgres"',
    }).replace(inside, join(folder, "mounted.ini"));
    // PgBouncer refuses to run as root.
    const nobody =
      process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
    const pooler = startProgram([...nobody, shell, flags, here]);
    const healthy = pgbouncer.healthcheck.test
      .slice(1)
      .map((word) => word.replace("6432", port).replace(/(?<=^--(username|dbname)=)toolplane$/, "postgres"));
    await expect.poll(() => runProgram(healthy).status, { message: pooler.said() }).toBe(0);
    const pooled = new URL(direct);
    pooled.port = port;
    pooled.password = "";
    const server = await startServe([], {
      TOOL_DATABASE_URL: pooled.href,
      TOOL_DATABASE_DIRECT_URL: direct.href,
      TOOL_DATABASE_PASSWORD_FILE: join(folder, "password"),
    });
    const request = requestsTo(server.url, OWNER_KEY);
    const tracked = await Promise.all(
      Array.from({ length: 20 }, () => request("POST", "/api/v1/track", { body: { type: "api_calls" } })),
    );
    expect(tracked.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await request("GET", "/api/v1/usage")).body.totals.api_calls).toBe(20);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(pooler.said()).not.toContain("horse");
  });
});
