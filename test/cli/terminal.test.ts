import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { temporaryDirectory } from "../support/store.ts";
import { decide } from "./support/device-flow.ts";
import { readScreen, THEMES } from "./support/qr-screen.ts";
import { hasTerminal, terminal } from "./support/terminal.ts";
import { user } from "./support/tool.ts";

const TOOL = resolve(import.meta.dirname, "../../bin/tool.js");
/** Generous, since the machine may be busy. */
/** An address that a phone could open. Loopback gets no QR code. */
const ELSEWHERE = "https://control.example.com";
const SIZE = { columns: 80, rows: 24 };

function inTerminal(words: string[], environment: Record<string, string>, size = SIZE) {
  const { env, home } = user(environment);
  return { home, ...terminal([process.execPath, TOOL, ...words], { ...size, env }) };
}

async function codeOn(screen: () => string[]): Promise<string> {
  await expect.poll(() => screen().join("\n")).toMatch(/Waiting for approval/);
  return /Enter {2}(\S+)/.exec(screen().join("\n"))?.[1] as string;
}

function qrOn(lines: string[]): string[] {
  return lines
    .filter((line) => /^ {2}[█▀▄][█▀▄ ]+/.test(line))
    .map((line) => /[█▀▄ ]+/.exec(line.slice(2))![0].trim());
}

describe("tool in a terminal", () => {
  beforeEach(({ skip }) => skip(!hasTerminal, "tmux is not installed"));

  it("shows the code at 80 columns where the terminal does not tell its size", async () => {
    const app = await startApp({ verificationUrl: ELSEWHERE });
    const { env } = user({ TOOL_BASE_URL: app.url });
    const sizeless = `stty columns 0 rows 0; exec "${process.execPath}" "${TOOL}" login`;
    const { screen } = terminal(["sh", "-c", sizeless], { ...SIZE, env });
    await codeOn(screen);
    expect(screen()[0]).toBe(`  Sign in to ${app.url}`);
    expect(screen().at(-1)).toMatch(/Waiting for approval {3}1[45]:\d\d left +ctrl\+c cancels$/);
  });

  it("shows the code, QR code and countdown of login on 24 rows, and the user at the end", async () => {
    const app = await startApp({ verificationUrl: ELSEWHERE });
    const { screen, history, cursorVisible } = inTerminal(["login"], { TOOL_BASE_URL: app.url });
    const userCode = await codeOn(screen);
    const lines = screen();
    expect(lines[0]).toBe(`  Sign in to ${app.url}`);
    expect(lines.at(-1)).toMatch(/Waiting for approval {3}1[45]:\d\d left +ctrl\+c cancels$/);
    const qr = qrOn(lines);
    expect(qr.length).toBeGreaterThanOrEqual(16);
    expect(cursorVisible()).toBe(false);
    for (const theme of Object.values(THEMES)) {
      // A screen that is being drawn again is half the old one.
      await expect.poll(() => readScreen(history(), theme)).toBe(`${ELSEWHERE}/device?user_code=${userCode}`);
    }
    await decide(app, userCode, "approve");
    await expect.poll(() => screen().join("\n")).toContain("exit code 0");
    expect(screen()).toEqual([
      "  ✔ Signed in as owner@localhost (account default, plan Enterprise)",
      "    Scopes read write · token kept in a file that only you can read · renews by",
      "    itself",
      `    ${app.url} is now your default server.`,
      "exit code 0",
    ]);
    expect(cursorVisible()).toBe(true);
  });

  it("draws the QR code of login only in a terminal with enough room", async () => {
    const app = await startApp({ verificationUrl: ELSEWHERE });
    const small = { columns: 40, rows: 12 };
    const { screen, resize } = inTerminal(["login"], { TOOL_BASE_URL: app.url }, small);
    await codeOn(screen);
    expect(screen().join(" ").replaceAll(/\s+/g, " ")).toContain("No QR code: it needs");
    expect(qrOn(screen())).toEqual([]);
    resize(SIZE.columns, SIZE.rows);
    await expect.poll(() => qrOn(screen()).length).toBeGreaterThanOrEqual(16);
  });

  it("opens the login page in the browser of a desktop", async () => {
    const app = await startApp();
    const programs = temporaryDirectory();
    const opened = join(programs, "opened");
    writeFileSync(join(programs, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 });
    const { screen } = inTerminal(["login"], {
      TOOL_BASE_URL: app.url,
      DISPLAY: ":0",
      PATH: programs + delimiter + process.env.PATH,
    });
    const userCode = await codeOn(screen);
    await expect
      .poll(() => readFileSync(opened, { encoding: "utf8", flag: "a+" }))
      .toBe(`${app.url}/device?user_code=${userCode}`);
  });

  it("restores the terminal at Ctrl+C in login", async () => {
    const app = await startApp();
    const { screen, press, cursorVisible } = inTerminal(["login"], { TOOL_BASE_URL: app.url });
    await codeOn(screen);
    press("C-c");
    await expect.poll(() => screen()).toEqual(["  Interrupted.", "exit code 130"]);
    expect(cursorVisible()).toBe(true);
  });

  it("colours login with the colours of the theme, or not at all with NO_COLOR", async () => {
    const app = await startApp();
    const plain = inTerminal(["login"], { TOOL_BASE_URL: app.url, NO_COLOR: "1" });
    const coloured = inTerminal(["login"], { TOOL_BASE_URL: app.url });
    await Promise.all([codeOn(plain.screen), codeOn(coloured.screen)]);
    const sequences = (text: string) =>
      text
        .split("\u001b[")
        .slice(1)
        .map((part) => part.split("m")[0]!);
    expect(sequences(plain.history()).filter((code) => !/^(0|39|49)$/.test(code))).toEqual([]);
    expect(sequences(coloured.history())).toContain("36");
    // Only the QR code uses fixed colours, which themes do not change: black and white.
    const fixed = sequences(coloured.history()).filter((code) => /[34]8;/.test(code));
    expect(fixed.filter((code) => !/^38;5;231(;|$)|^48;5;16$/.test(code))).toEqual([]);
  });

  it("lets the user choose a missing argument, and exits with 130 at Ctrl+C", async () => {
    const app = await startApp();
    for (const name of ["ci", "deploy"])
      await app.request("POST", "/api/v1/keys", { body: { name, scopes: ["read"] } });
    const environment = { TOOL_BASE_URL: app.url, TOOL_TOKEN: OWNER_KEY };
    const taken = inTerminal(["keys", "show"], environment);
    await expect.poll(() => taken.screen().join("\n")).toMatch(/which key\?.*› ci.*deploy/s);
    taken.press("Down", "Enter");
    await expect.poll(() => taken.screen().at(-1)).toBe("exit code 0");
    expect(taken.screen().slice(0, 2)).toEqual(["  $ tool keys show deploy", "  deploy"]);
    const left = inTerminal(["keys", "show"], environment);
    await expect.poll(() => left.screen().join("\n")).toContain("› ci");
    left.press("C-c");
    await expect.poll(() => left.screen().at(-1)).toBe("exit code 130");
  });

  it("asks before creating the missing project of TOOL_PROJECT", async () => {
    const app = await startApp();
    const environment = { TOOL_BASE_URL: app.url, TOOL_TOKEN: OWNER_KEY, TOOL_PROJECT: "shop" };
    const question = /There is no project shop yet, which TOOL_PROJECT names\. Make it\?/;
    const refused = inTerminal(["track", "api_calls"], environment);
    await expect.poll(() => refused.screen().join(" ")).toMatch(question);
    refused.press("Enter");
    await expect.poll(() => refused.screen().at(-1)).toBe("exit code 2");
    const made = inTerminal(["track", "api_calls"], environment);
    await expect.poll(() => made.screen().join(" ")).toMatch(question);
    made.press("y", "Enter");
    await expect.poll(() => made.screen().at(-1)).toBe("exit code 0");
    // Where the machine is busy, the command leaves the use to its sender after 1.5 s.
    expect(made.screen().join(" ")).toMatch(/1 +api_calls recorded for project shop|Queued, not counted yet/);
    const headers = { "X-Project-Id": "shop" };
    const counted = async () =>
      (await app.request("GET", "/api/v1/usage", { headers })).body.totals.api_calls;
    await expect.poll(counted, { timeout: 20_000 }).toBe(1);
  });

  it("shows addresses, a line per request and a footer in serve", async () => {
    const { screen, press, home } = inTerminal(["serve", "--port", "0"], { TOOL_OWNER_API_KEY: OWNER_KEY });
    await expect.poll(() => screen().join("\n")).toContain("ctrl+c stops");
    const [, url] = /toolplane (http\S+)/.exec(screen()[0]!)!;
    expect(screen()[1]).toBe(`  Here      tool login --base-url ${url}`);
    expect(screen()[2]).toBe(`  Data      ${join(home, ".local/share/toolplane/server")}`);
    await fetch(`${url}/api/v1/account`, { headers: { "X-API-Key": OWNER_KEY } });
    await fetch(`${url}/nothing`);
    await expect
      .poll(() => screen().join("\n"))
      .toMatch(/GET +\/api\/v1\/account +200 +[\d.]+ ms {2}default\n/);
    await expect.poll(() => screen().join("\n")).toMatch(/GET +\/nothing +404 +[\d.]+ ms {2}-\n/);
    expect(screen().at(-1)).toMatch(
      /^ {2}[\d.]+ requests\/s · p99 [\d.]+ ms · .*store [\d.,]+ (Ki)?B · ctrl\+c stops$/,
    );
    press("C-c");
    await expect.poll(() => screen().at(-1)).toBe("exit code 130");
  });
});
