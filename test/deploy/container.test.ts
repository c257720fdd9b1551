import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { OWNER_KEY } from "../support/app.ts";
import { freePort } from "../support/free-port.ts";
import { isMissing, runProgram, startProgram } from "../support/programs.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { temporaryDirectory } from "../support/store.ts";
import { all, stagesOfDockerfile, wordsOf } from "./dockerfile.ts";

// Tests run without Docker, and do with the same files what it would do.
const [build, image] = stagesOfDockerfile();
const compose = parseYaml(readFileSync(join(packageRoot, "compose.yaml"), "utf8")) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
  networks: { default: { enable_ipv6: boolean; ipam: { config: { subnet: string }[] } } };
};
interface Service {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, unknown>;
  logging?: { driver: string };
}

/** Builds the image's files in a directory that stands for its root. */
function imageFolder(): string {
  const context = temporaryDirectory();
  const [first = ""] = all(build, "WORKDIR").map(({ rest }) => rest);
  const stage = join(context, first);
  mkdirSync(stage, { recursive: true });
  for (const { name, rest } of build ?? []) {
    if (name === "COPY") copyInto(packageRoot, stage, rest);
    if (name !== "RUN") continue;
    const words = wordsOf(rest);
    // Uses the installed modules instead of downloading the same ones again.
    if (words.includes("ci")) linkModules(stage);
    else {
      const { status, output } = runProgram(
        words.map((word) => (word.startsWith("/") ? join(context, word) : word)),
        { cwd: stage, env: { HOME: context } },
      );
      expect(status, output).toBe(0);
    }
  }
  const root = temporaryDirectory();
  const folder = join(root, all(image, "WORKDIR")[0]?.rest ?? "");
  for (const { flags, rest } of all(image, "COPY")) {
    copyInto(flags.from === "build" ? context : packageRoot, folder, rest, root);
  }
  return root;
}

/** Hard-links the installed modules, so that emptying the folder removes links and changes no file. */
function linkModules(stage: string): void {
  const copy = (how: string) => runProgram(["cp", how, join(packageRoot, "node_modules"), stage]);
  // A hard link to another file system is impossible.
  const { status, output } = copy("-al").status === 0 ? { status: 0, output: "" } : copy("-a");
  expect(status, output).toBe(0);
  // Makes npm write its list of installed modules again.
  rmSync(join(stage, "node_modules/.package-lock.json"), { force: true });
}

const LINKED = { recursive: true, verbatimSymlinks: true };

function copyInto(from: string, folder: string, words: string, root = folder): void {
  const sources = words.split(/\s+/);
  const target = sources.pop() as string;
  const to = target.startsWith("/") ? join(root, target) : resolve(folder, target);
  for (const source of sources) {
    const path = join(from, source);
    expect(existsSync(path), `COPY ${source}`).toBe(true);
    const into = target.endsWith("/") ? join(to, source.split("/").at(-1) as string) : to;
    mkdirSync(dirname(into), { recursive: true });
    cpSync(path, into, LINKED);
  }
}

describe("the Dockerfile", () => {
  let root: string;
  const [entry, command, health] = ["ENTRYPOINT", "CMD", "HEALTHCHECK"].map((name) =>
    wordsOf(all(image, name)[0]?.rest ?? ""),
  ) as [string[], string[], string[]];
  /** Maps the image's paths to those below `root`. */
  const inside = (words: string[]) =>
    words.map((word) => (/^\/(opt|data)\b/.test(word) ? join(root, word) : word));

  it("copies only files that .dockerignore lets through", () => {
    const kept = readFileSync(join(packageRoot, ".dockerignore"), "utf8").split("\n");
    expect(kept).toContain("*");
    const sources = [...all(build, "COPY"), ...all(image, "COPY").filter(({ flags }) => !flags.from)].flatMap(
      ({ rest }) => rest.split(/\s+/).slice(0, -1),
    );
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !kept.includes(`!${source}`))).toEqual([]);
  });

  it("runs without a shell or root, stops at SIGTERM, and uses a supported version of Node", () => {
    for (const name of ["RUN", "ENTRYPOINT", "CMD"]) {
      for (const { rest } of [...all(build, name), ...all(image, name)])
        expect(wordsOf(rest)).not.toEqual([]);
    }
    expect(all(image, "RUN")).toEqual([]);
    expect(all(image, "USER")[0]?.rest).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(all(image, "STOPSIGNAL")[0]?.rest).toBe("SIGTERM");
    const { engines } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
    const [, major] = /^node:(\d+)-bookworm-slim$/.exec(all(image, "FROM")[0]?.rest ?? "") ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
  });

  it("builds an image that serves, reports its health and stops at SIGTERM", async () => {
    root = imageFolder();
    const modules = join(root, "opt/toolplane/node_modules");
    expect(existsSync(join(modules, "zod"))).toBe(true);
    expect(existsSync(join(modules, "esbuild"))).toBe(false);
    const port = String(await freePort());
    const own = all(image, "ENV").flatMap(({ rest }) =>
      rest.split(" ").map((pair) => inside(pair.split("=")) as [string, string]),
    );
    const env = { ...Object.fromEntries(own), TOOL_OWNER_API_KEY: OWNER_KEY, HOME: join(root, "nowhere") };
    // The health check uses the image's port, which may be taken on this machine.
    const asks = { ...env, TOOL_BASE_URL: `http://127.0.0.1:${port}` };
    expect(runProgram(inside(health), { env: asks }).status).toBe(1);
    const server = startProgram([...inside(entry), ...inside(command), "--port", port], { env });
    await expect.poll(() => runProgram(inside(health), { env: asks }).status).toBe(0);
    expect(existsSync(join(root, "data/toolplane/server/journal.jsonl"))).toBe(true);
    server.child.kill("SIGTERM");
    await expect.poll(() => server.child.exitCode).toBe(0);
    expect(command).toEqual(expect.arrayContaining(["--host", "0.0.0.0"]));
  });

  it("keeps the data in its volume, also with flags in place of its own", () => {
    expect(all(image, "ENV")[0]?.rest.split(" ")).toContain(`XDG_DATA_HOME=${all(image, "VOLUME")[0]?.rest}`);
    expect(command).not.toContain("--data");
    expect(compose.services.toolplane?.command).not.toContain("--data");
    expect(compose.services.toolplane?.volumes).toContain(`data:${all(image, "VOLUME")[0]?.rest}`);
  });
});

describe("compose.yaml", () => {
  const { toolplane, postgres, caddy } = compose.services as { [name: string]: Service };

  it("refers only to existing files, secrets, volumes and services", () => {
    for (const service of Object.values(compose.services)) {
      for (const secret of service.secrets ?? []) expect(compose.secrets).toHaveProperty(secret);
      for (const name of Object.keys(service.depends_on ?? {})) {
        expect(compose.services[name]?.healthcheck ?? all(image, "HEALTHCHECK")[0]).toBeDefined();
      }
      for (const volume of service.volumes ?? []) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("./")) expect(existsSync(join(packageRoot, source))).toBe(true);
        else expect(compose.volumes).toHaveProperty(source);
      }
      for (const [name, value] of Object.entries(service.environment)) {
        if (!name.endsWith("_FILE")) continue;
        expect(service.secrets?.map((secret) => `/run/secrets/${secret}`)).toContain(value);
      }
    }
    expect(toolplane?.environment.TOOL_DATABASE_URL).toBe(
      `postgres://${postgres?.environment.POSTGRES_USER}@postgres/${postgres?.environment.POSTGRES_DB}`,
    );
  });

  it("is started by what docs/operations.md says, and later commands need no more", () => {
    const page = readFileSync(join(packageRoot, "docs/operations.md"), "utf8");
    const [, lines = ""] = /^```sh\n(install -d [\s\S]*?)^```$/m.exec(page) ?? [];
    const [before = ""] = lines.split("docker compose up");
    const folder = temporaryDirectory();
    const { status, output } = runProgram(["sh", "-euc", `umask 077\n${before}`], { cwd: folder });
    expect(status, output).toBe(0);
    // Containers' users read the file, others do not enter the directory.
    for (const { file } of Object.values(compose.secrets))
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o644);
    expect(statSync(join(folder, "secrets")).mode & 0o777).toBe(0o700);
    const set = readFileSync(join(folder, ".env"), "utf8");
    const text = readFileSync(join(packageRoot, "compose.yaml"), "utf8");
    for (const [, name] of text.matchAll(/\$\{(\w+)/g)) expect(set).toMatch(new RegExp(`^${name}=`, "m"));
    for (const line of before.trim().split("\n")) expect(text).toContain(`#   ${line}\n`);
    const ignored = readFileSync(join(packageRoot, ".gitignore"), "utf8").split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["/.env", "/compose.override.yaml", "/secrets/"]));
  });

  it("keeps no service's lines for ever, and the addresses of those who come by IPv6", () => {
    for (const service of Object.values(compose.services)) expect(service.logging?.driver).toBe("local");
    const { enable_ipv6, ipam } = compose.networks.default;
    expect(enable_ipv6).toBe(true);
    expect(ipam.config[0]?.subnet).toMatch(/^fd[0-9a-f:]+::\/64$/);
  });

  it.skipIf(isMissing("caddy", "psql"))(
    "runs the server on its database, and has a valid Caddyfile",
    async () => {
      const folder = temporaryDirectory();
      const database = new URL(await createDatabase());
      const password = join(folder, "database-password");
      writeFileSync(password, "correct horse%battery\n");
      const [pgIsReady = "", ...words] = (postgres?.healthcheck?.test ?? []).slice(1);
      const asked = words.map((word) => word.replace(/(?<=^--(username|dbname)=)toolplane$/, ""));
      const healthy = runProgram([pgIsReady, ...asked, `--port=${database.port}`]);
      expect(healthy.status, healthy.output).toBe(0);
      const port = await freePort();
      const server = startProgram(
        [process.execPath, join(packageRoot, "bin/tool.js")]
          .concat(
            (toolplane?.command ?? []).map((word) =>
              word.replace(/\$\{TOOLPLANE_DOMAIN:\?[^}]*\}/, "localhost"),
            ),
          )
          .concat(["--port", String(port)]),
        {
          env: {
            HOME: folder,
            TOOL_DATABASE_URL: database.href,
            TOOL_DATABASE_PASSWORD_FILE: password,
            TOOL_OWNER_API_KEY: OWNER_KEY,
          },
        },
      );
      const ready = ["ready", "--wait", "60", "--base-url", `http://127.0.0.1:${port}`];
      const waited = runProgram([process.execPath, join(packageRoot, "bin/tool.js"), ...ready], {
        env: { HOME: folder },
      });
      expect(waited.status, waited.output + server.said()).toBe(0);
      expect(server.said()).not.toContain("horse");
      const env = {
        HOME: folder,
        XDG_DATA_HOME: folder,
        TOOLPLANE_DOMAIN: "localhost",
        TOOLPLANE_UPSTREAM: `127.0.0.1:${port}`,
      };
      expect(Object.keys(caddy?.environment ?? {})).toEqual(["TOOLPLANE_DOMAIN", "TOOLPLANE_UPSTREAM"]);
      const check = (caddy?.healthcheck?.test ?? []).slice(1);
      expect(check.slice(0, 4)).toEqual(["caddy", "validate", "--config", "/etc/caddy/Caddyfile"]);
      check[3] = join(packageRoot, "deploy/caddy/Caddyfile");
      const valid = runProgram(check, { env });
      expect(valid.status, valid.output).toBe(0);
    },
  );
});
