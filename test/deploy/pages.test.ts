import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { user } from "../cli/support/tool.ts";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { freePort } from "../support/free-port.ts";
import { isMissing, runBeside, runProgram, startProgram } from "../support/programs.ts";
import { temporaryDirectory } from "../support/store.ts";
import { signedInVisitor, type Visitor, visitor } from "../web/support/visitor.ts";

const PASSWORD = "correct horse battery staple";

/** Returns the lines of each `bash` block of a page. Blocks for another machine are marked `sh` and left out. */
function sectionsOf(page: string): string[][] {
  const text = readFileSync(join(packageRoot, "docs", page), "utf8");
  return [...text.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block.trim().split("\n"));
}

/** Returns a function that runs lines in a shell of one user, with the page's server replaced by the test's. */
function shellOf(env: Record<string, string>, site: string) {
  const folder = temporaryDirectory();
  const tool = `tool() { "${process.execPath}" "${join(packageRoot, "bin/tool.js")}" "$@"; }`;
  const ports = { HOME: folder, LANG: "C.UTF-8", DBUS_SESSION_BUS_ADDRESS: "disabled:", ...env };
  return async (lines: readonly string[]): Promise<string> => {
    const script = [tool, "set -eo pipefail", ...lines]
      .join("\n")
      .replaceAll("https://control.example.com", site);
    const { status, output } = await runBeside(["bash", "-c", script], { cwd: folder, env: ports });
    expect(status, `${lines.join("\n")}\n${output}`).toBe(0);
    return output;
  };
}

describe.skipIf(isMissing("caddy"))("docs/add-your-team.md", () => {
  it("leads to a server behind TLS with two users, and to a backup", async () => {
    const [you = [], bob = [], again = [], backup = []] = sectionsOf("add-your-team.md");
    const [https, http, port] = [await freePort(), await freePort(), await freePort()];
    const folder = temporaryDirectory();
    const site = `https://localhost:${https}`;
    const file = join(folder, "Caddyfile");
    const options = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${https}\n}\n`;
    writeFileSync(file, options + readFileSync(join(packageRoot, "deploy/caddy/Caddyfile"), "utf8"));
    const caddy = startProgram(["caddy", "run", "--config", file, "--adapter", "caddyfile"], {
      env: {
        HOME: folder,
        XDG_DATA_HOME: folder,
        TOOLPLANE_DOMAIN: "localhost",
        TOOLPLANE_UPSTREAM: `127.0.0.1:${port}`,
      },
    });
    const data = join(folder, "toolplane");
    await startApp({
      baseUrl: site,
      trustProxy: "1",
      port,
      dataDirectory: data,
      owner: { email: "owner@example.com", password: PASSWORD },
    });
    const direct = `http://127.0.0.1:${port}`;
    const authority = join(folder, "caddy/pki/authorities/local/root.crt");
    const env = { NODE_EXTRA_CA_CERTS: authority };
    const ready = ["ready", "--wait", "60", "--base-url", site];
    const { status } = await runBeside([process.execPath, join(packageRoot, "bin/tool.js"), ...ready], {
      env: { HOME: folder, ...env },
    });
    expect(status, caddy.said()).toBe(0);

    const atSite = (line: string) => line.replace("https://control.example.com", site);
    const [ownersLogin = "", invite = ""] = you;
    const owner = user(env);
    await approved(
      owner,
      atSite(ownersLogin),
      await signedInVisitor(direct, { email: "owner@example.com", password: PASSWORD }),
    );
    const invited = await owner.tool(...wordsOf(atSite(invite)));
    const [link = ""] = /https:\S+link=\S+/.exec(invited.stdout) ?? [];
    const browser = visitor(direct);
    const { pathname, search } = new URL(link);
    const joined = await browser.send(await browser.get(pathname + search), "/sign-in");
    expect(joined.status, joined.text).toBe(303);

    const member = user(env);
    const [login = "", ...rest] = bob;
    await approved(member, atSite(login), browser);
    for (const line of rest) {
      const { code, stderr } = await member.tool(...wordsOf(atSite(line)));
      expect(code, stderr).toBe(0);
    }
    const seen = await Promise.all(again.map((line) => owner.tool(...wordsOf(atSite(line)))));
    for (const { stdout, stderr } of seen) expect(stdout + stderr).toContain("bob@example.com");
    for (const line of backup) {
      const here = line.replace(" /backup", ` ${join(folder, "backup")}`).replace("/var/lib/toolplane", data);
      if (here.startsWith("install ")) expect(runProgram(here.split(" ")).status).toBe(0);
      else expect(await owner.tool(...wordsOf(here))).toMatchObject({ code: 0 });
    }
  });
});

describe.skipIf(isMissing("curl", "jq"))("docs/put-your-users-on-it.md", () => {
  it("leads from a key of the back end to a customer on a paid plan", async () => {
    const sections = sectionsOf("put-your-users-on-it.md");
    const [keys = [], signUp = [], told = [], uses = [], pays = [], ends = [], bill = []] = sections;
    const port = await freePort();
    const site = `http://127.0.0.1:${port}`;
    const app = await startApp({
      port,
      signUp: "open",
      providers: [{ name: "github", github: "https://github.com", clientId: "id", clientSecret: "secret" }],
    });
    const made = await app.account("free");
    const type = shellOf({ OWNER_KEY, USER_KEY: made.token }, site);
    const before = [...keys, ...signUp];
    expect(await type(before)).toContain(`${site}/sign-in?link=`);
    expect(await type([...keys, ...told])).toMatch(/^whsec_[\w+/=]{44}\n$/);
    const used = await type(["export BASE=https://control.example.com", ...uses]);
    expect(used).toMatch(/^"free"\n.*"skills\.basic".*"recorded":true,"type":"api_calls","count":3/s);
    expect(await type([...before.map(quiet), ...pays, ...ends])).toMatch(/^"pro"\n\{\s+"plan": "free",/);
    // The account whose program counted above.
    const month = new Date().toISOString().slice(0, 7);
    const named = bill.map((line) => line.replace("from=2026-03-01&to=2026-04-01", `from=${month}-01`));
    const answer = JSON.parse(await type([...keys, `ACCOUNT_ID=${made.accountId}`, ...named]));
    expect(answer).toMatchObject({ granularity: "month", totals: { api_calls: 3 }, groupCount: 1 });
  });
});

/** Silences `jq`, and uses an address that is not taken, since the page is followed a second time. */
function quiet(line: string): string {
  const silent = line.startsWith("jq ") ? `${line} > /dev/null` : line;
  return silent.replace("ada@example.com", "ada-again@example.com");
}

/** Splits a line into words as a shell does. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1);
}

/** Signs a person in at a terminal, and approves the code in a browser. */
async function approved(person: ReturnType<typeof user>, line: string, browser: Visitor): Promise<void> {
  const login = person.start(wordsOf(line));
  const [, code = ""] = await login
    .until("stderr", /Enter\s+([A-Z]{4}-[A-Z]{4})/)
    .catch(() => login.until("stdout", /([A-Z]{4}-[A-Z]{4})/));
  const page = await browser.get(`/device?user_code=${code}`);
  const decided = await browser.send(page, "/device", { decision: "approve" });
  expect([200, 303], decided.text).toContain(decided.status);
  const finished = await login.finished;
  expect(finished.code, finished.stderr).toBe(0);
}
