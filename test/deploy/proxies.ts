import { readFileSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { runProgram, startProgram } from "../support/programs.ts";

/** Folder and ports to start a proxy with its file in `deploy/`. */
export interface Ports {
  folder: string;
  /** Where the servers listen. */
  toolplane: string[];
  https: number;
  http: number;
}

export const PROXIES = {
  nginx: {
    needs: ["nginx", "openssl"],
    start({ folder, toolplane, https, http }: Ports) {
      const { certificate, key } = selfSigned(folder);
      const site = join(folder, "toolplane.conf");
      writeFileSync(
        site,
        adapted("nginx/toolplane.conf", {
          "listen 80;": `listen 127.0.0.1:${http};`,
          "listen [::]:80;": "",
          "listen 443 ": `listen 127.0.0.1:${https} `,
          "listen [::]:443 ssl http2;": "",
          "/etc/letsencrypt/live/control.example.com/fullchain.pem": certificate,
          "/etc/letsencrypt/live/control.example.com/privkey.pem": key,
        }).replace(/server 127\.0\.0\.1:4242.*;/, (line) =>
          toolplane.map((at) => line.replace("127.0.0.1:4242", at)).join(" "),
        ),
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
  HAProxy: {
    needs: ["haproxy", "openssl"],
    start({ folder, toolplane, https, http }: Ports) {
      const { certificate, key } = selfSigned(folder);
      const both = join(folder, "both.pem");
      writeFileSync(both, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
      const file = join(folder, "haproxy.cfg");
      const text = adapted("haproxy/haproxy.cfg", {
        "\tbind :::80 v6only\n": "",
        "\tbind :::443 v6only ssl crt /etc/haproxy/control.example.com.pem alpn h2,http/1.1\n": "",
        "bind :80": `bind 127.0.0.1:${http}`,
        "bind :443 ": `bind 127.0.0.1:${https} `,
        "/etc/haproxy/control.example.com.pem": both,
      });
      writeFileSync(file, onceEach(text, /\tserver one 127\.0\.0\.1:4242.*\n/, toolplane));
      return startProgram(["haproxy", "-db", "-f", file]);
    },
  },
  Apache: {
    needs: ["apache2", "openssl"],
    /** A body that is too large is refused by the proxy itself. */
    refuses: true,
    start({ folder, toolplane, https, http }: Ports) {
      const { certificate, key } = selfSigned(folder);
      const modules = ["mpm_event", "authz_core", "socache_shmcb", "slotmem_shm", "ssl", "http2", "headers"]
        .concat(["alias", "proxy", "proxy_http", "proxy_balancer", "lbmethod_byrequests"])
        .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
      const site = adapted("apache/toolplane.conf", {
        "<VirtualHost *:80>": `<VirtualHost 127.0.0.1:${http}>`,
        "<VirtualHost *:443>": `<VirtualHost 127.0.0.1:${https}>`,
        "https://control.example.com/": "https://localhost/",
        "ServerName control.example.com": "ServerName localhost",
        "/etc/letsencrypt/live/control.example.com/fullchain.pem": certificate,
        "/etc/letsencrypt/live/control.example.com/privkey.pem": key,
      });
      const user = process.getuid?.() === 0 ? ["User www-data", "Group www-data"] : [];
      const main = [...modules, ...user]
        .concat([`ServerRoot ${folder}`, `PidFile ${folder}/pid`, `DefaultRuntimeDir ${folder}`])
        .concat([
          "ServerName localhost",
          `ErrorLog ${folder}/error.log`,
          `Listen 127.0.0.1:${http}`,
          `Listen 127.0.0.1:${https}`,
        ])
        .concat(onceEach(site, /\tBalancerMember http:\/\/127\.0\.0\.1:4242.*\n/, toolplane));
      const file = join(folder, "apache2.conf");
      writeFileSync(file, main.join("\n"));
      return startProgram(["apache2", "-D", "FOREGROUND", "-f", file]);
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
        TOOLPLANE_UPSTREAM: toolplane.join(" "),
      };
      return startProgram(["caddy", "run", "--config", file, "--adapter", "caddyfile"], { cwd: folder, env });
    },
  },
};

function selfSigned(folder: string): { certificate: string; key: string } {
  const certificate = join(folder, "certificate.pem");
  const key = join(folder, "key.pem");
  const made = runProgram(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"].concat(
      ["-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost"],
    ),
  );
  expect(made.status, made.output).toBe(0);
  return { certificate, key };
}

/** Returns the text with its line for the server at 127.0.0.1:4242 repeated for each of the servers. */
function onceEach(text: string, line: RegExp, toolplane: readonly string[]): string {
  return text.replace(line, (found) =>
    toolplane
      .map((at, index) => found.replace("127.0.0.1:4242", at).replace("server one", `server s${index}`))
      .join(""),
  );
}

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

/** Connects once the proxy listens and reaches the server. */
export async function connected(url: string, said: () => string): Promise<ClientHttp2Session> {
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

export function ask(
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
