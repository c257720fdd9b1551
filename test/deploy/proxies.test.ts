import { readFileSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { freePort } from "../support/free-port.ts";
import { isMissing, runProgram, startProgram } from "../support/programs.ts";
import { temporaryDirectory } from "../support/store.ts";

const SITE = "https://control.example.com";
const MIB = 1024 * 1024;
const PAIR = "/api/v1/tools/pair/session";
const BEARER = { authorization: `Bearer ${OWNER_KEY}` };
const AS_JSON = { ...BEARER, "content-type": "application/json" };

/** Folder and ports to start a proxy with its file in `deploy/`. */
interface Ports {
  folder: string;
  toolplane: string;
  https: number;
  http: number;
}

const PROXIES = {
  nginx: {
    needs: ["nginx", "openssl"],
    start({ folder, toolplane, https, http }: Ports) {
      const certificate = join(folder, "certificate.pem");
      const key = join(folder, "key.pem");
      const made = runProgram(
        [
          "openssl",
          "req",
          "-x509",
          "-newkey",
          "ec",
          "-pkeyopt",
          "ec_paramgen_curve:prime256v1",
          "-nodes",
        ].concat(["-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost"]),
      );
      expect(made.status, made.output).toBe(0);
      const site = join(folder, "toolplane.conf");
      writeFileSync(
        site,
        adapted("nginx/toolplane.conf", {
          "127.0.0.1:4242": toolplane,
          "listen 80;": `listen 127.0.0.1:${http};`,
          "listen [::]:80;": "",
          "listen 443 ": `listen 127.0.0.1:${https} `,
          "listen [::]:443 ssl http2;": "",
          "/etc/letsencrypt/live/control.example.com/fullchain.pem": certificate,
          "/etc/letsencrypt/live/control.example.com/privkey.pem": key,
        }),
      );
      const main = join(folder, "nginx.conf");
      const user = process.getuid?.() === 0 ? "user root;" : "";
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${join(folder, name)};`)
        .join(" ");
      writeFileSync(
        main,
        `${user} daemon off; pid ${join(folder, "pid")}; error_log stderr; events {}
         http { access_log off; ${temporary} include ${site}; }`,
      );
      return startProgram(["nginx", "-p", folder, "-e", "stderr", "-c", main]);
    },
  },
  Caddy: {
    needs: ["caddy"],
    start({ folder, toolplane, https, http }: Ports) {
      const file = join(folder, "Caddyfile");
      const options = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${https}\n}\n`;
      writeFileSync(file, options + adapted("caddy/Caddyfile", {}));
      const env = {
        HOME: folder,
        XDG_DATA_HOME: folder,
        TOOLPLANE_DOMAIN: "localhost",
        TOOLPLANE_UPSTREAM: toolplane,
      };
      return startProgram(["caddy", "run", "--config", file, "--adapter", "caddyfile"], { cwd: folder, env });
    },
  },
};

/** Returns a file of `deploy/` with the changes that its user has to make. */
function adapted(file: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce(
    (text, [from, to]) => {
      expect(text).toContain(from);
      return text.replaceAll(from, to);
    },
    readFileSync(join(packageRoot, "deploy", file), "utf8"),
  );
}

describe.each(Object.entries(PROXIES))("%s as a proxy, configured by deploy/", (_, { needs, start }) => {
  const skipped = isMissing(...needs);

  async function startBehind() {
    const answered: { endpoint: string; address: string; port: number | undefined; status: number }[] = [];
    const port = await freePort();
    await startApp({
      baseUrl: SITE,
      trustProxy: "1",
      port,
      onAnswered: ({ endpoint, address, req }, status) =>
        void answered.push({ endpoint, address, port: req.socket.remotePort, status }),
    });
    const ports = {
      folder: temporaryDirectory(),
      toolplane: `127.0.0.1:${port}`,
      https: await freePort(),
      http: await freePort(),
    };
    const proxy = start(ports);
    const session = await connected(`https://localhost:${ports.https}`, proxy.said);
    return { session, answered, http: ports.http };
  }

  it.skipIf(skipped)("sends Strict-Transport-Security once, with pages as with the API", async () => {
    const { session } = await startBehind();
    for (const path of ["/sign-in", "/health"]) {
      const { names } = await ask(session, "GET", path);
      expect(
        names.filter((name) => name === "strict-transport-security"),
        path,
      ).toHaveLength(1);
    }
  });

  it.skipIf(skipped)("passes on as many headers as the server takes, and its refusal of more", async () => {
    const { session } = await startBehind();
    const withCookie = (length: number) =>
      ask(session, "GET", "/health", { cookie: `other=${"x".repeat(length)}` });
    expect((await withCookie(15_000)).status).toBe(200);
    const refused = await withCookie(20_000);
    expect([refused.status, refused.text]).toEqual([431, expect.stringContaining("headers_too_large")]);
  });

  it.skipIf(skipped)(
    "speaks HTTP/2, passes on the client's address, and reuses connections to the server",
    async () => {
      const { session, answered, http } = await startBehind();
      expect(session.alpnProtocol).toBe("h2");
      for (let index = 0; index < 10; index++) {
        const { status } = await ask(session, "GET", "/api/v1/account", {
          ...BEARER,
          "x-forwarded-for": "6.6.6.6",
        });
        expect(status).toBe(200);
      }
      const mine = answered.filter(({ endpoint }) => endpoint !== "service.health");
      expect(new Set(mine.map(({ address }) => address))).toEqual(new Set(["127.0.0.1"]));
      expect(new Set(mine.map(({ port }) => port)).size).toBe(1);
      // Paths that only this machine may request cannot be reached through a proxy on it.
      expect((await ask(session, "GET", "/metrics")).status).toBe(404);
      const plain = await fetch(`http://localhost:${http}/device`, { redirect: "manual" });
      expect([301, 308]).toContain(plain.status);
      expect(plain.headers.get("location")).toMatch(/^https:\/\/localhost[:/]/);
    },
  );

  it.skipIf(skipped)("passes on an import of 60 MiB, and the server's refusal of a larger one", async () => {
    const { session } = await startBehind();
    const path = "/api/v1/tools/knowledge-graph/import";
    const body = (length: number) => {
      const [head, tail] = ['{"entities":[{"id":"a","type":"node","name":"a"}],', '"relationships":[]}'];
      return Buffer.from(head + " ".repeat(length - head.length - tail.length) + tail);
    };
    const taken = await ask(session, "POST", path, AS_JSON, body(60 * MIB));
    expect(taken.status, taken.text).toBe(200);
    const refused = await ask(session, "POST", path, AS_JSON, body(64 * MIB + 1));
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.text)).toMatchObject({ error: "payload_too_large" });
  });

  it.skipIf(skipped)(
    "passes on events at once, and ends the server's stream when the client leaves",
    async () => {
      const { session, answered } = await startBehind();
      const body = { participants: [{ id: "ada", role: "driver" }], files: [{ path: "a.ts", content: "" }] };
      const begun = await ask(session, "POST", PAIR, AS_JSON, Buffer.from(JSON.stringify(body)));
      expect(begun.status, begun.text).toBe(201);
      const id = JSON.parse(begun.text).session.id;
      const stream = session.request({ ":path": `${PAIR}/${id}/events`, ...BEARER });
      let text = "";
      stream.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      await expect.poll(() => text).toContain("event: session");
      const change = {
        author: "ada",
        path: "a.ts",
        baseRevision: 0,
        edits: [{ from: 0, to: 0, insert: "live" }],
      };
      const changed = await ask(
        session,
        "POST",
        `${PAIR}/${id}/change`,
        AS_JSON,
        Buffer.from(JSON.stringify(change)),
      );
      expect(changed.status, changed.text).toBe(201);
      await expect.poll(() => text).toContain("event: change");
      expect(answered.some(({ endpoint }) => endpoint === "pair.events")).toBe(false);
      stream.close();
      await expect.poll(() => answered.some(({ endpoint }) => endpoint === "pair.events")).toBe(true);
    },
  );
});

/** Connects once the proxy listens and reaches the server. */
async function connected(url: string, said: () => string): Promise<ClientHttp2Session> {
  for (let attempt = 0; ; attempt++) {
    const session = connect(url, { rejectUnauthorized: false, maxSessionMemory: 500 });
    try {
      const { status } = await ask(session, "GET", "/health");
      if (status === 200) {
        onTestFinished(() => session.destroy());
        return session;
      }
      throw new Error(`/health answers ${status}`);
    } catch (error) {
      session.destroy();
      if (attempt === 100) throw new Error(said(), { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function ask(
  session: ClientHttp2Session,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer,
): Promise<{ status: number; text: string; names: string[] }> {
  return new Promise((resolve, reject) => {
    session.setMaxListeners(0).once("error", reject);
    const length = body ? { "content-length": String(body.length) } : {};
    const stream = session.request({ ":method": method, ":path": path, ...headers, ...length });
    let status = 0;
    let text = "";
    let names: string[] = [];
    stream.on("response", (answer, _flags, raw: string[] = []) => {
      status = Number(answer[":status"]);
      names = raw.filter((_, index) => index % 2 === 0);
    });
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    stream.once("error", (error) => (status ? resolve({ status, text, names }) : reject(error)));
    stream.once("end", () =>
      status
        ? resolve({ status, text, names })
        : reject(new Error(`no answer to ${path}: ${stream.rstCode}`)),
    );
    stream.end(body);
  });
}
