import { chmodSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { announceLocalServer } from "../../../src/client/sign-in/local-server.ts";
import { startApp } from "../../support/app.ts";
import { hasTerminal, terminal } from "../support/terminal.ts";
import { user } from "../support/tool.ts";

const TOOL = resolve(import.meta.dirname, "../../../bin/tool.js");
/** Generous, since the machine may be busy. */

/** Starts a user's own local server. `begin` runs the command in a terminal. */
async function atHome(words: string[], secret?: string) {
  const app = await startApp();
  const somebody = user({ TOOL_BASE_URL: app.url });
  announceLocalServer(somebody.dataDirectory, { baseUrl: app.url, secret: secret ?? app.localSecret ?? "" });
  const begin = () =>
    terminal([process.execPath, TOOL, ...words], { columns: 80, rows: 24, env: somebody.env });
  return { app, ...somebody, begin };
}

/** Returns the screen's text with line breaks as spaces: these terminals echo no line ends. */
const textOn = (screen: () => string[]) => screen().join("\n").replaceAll(/\s+/g, " ");
const shows = (screen: () => string[], text: string | RegExp) =>
  expect.poll(() => textOn(screen)).toMatch(text);

describe("tool login beside a local server", () => {
  beforeEach(({ skip }) => skip(!hasTerminal, "tmux is not installed"));

  it("signs in at Enter, without a code", async () => {
    const { begin, tool } = await atHome(["login"]);
    const { screen, press } = begin();
    await shows(screen, /Press Enter to sign in as its owner \(read write\), or type c/);
    press("Enter");
    await shows(screen, "exit code 0");
    // The text follows the question and wraps at the end of the line.
    expect(textOn(screen).replaceAll(" ", "")).toContain("Signedinasowner@localhost");
    expect((await tool("whoami", "--json")).json.user.email).toBe("owner@localhost");
  });

  it("shows a code after c, without a QR code for the loopback address", async () => {
    const { begin } = await atHome(["login"]);
    const { screen, press } = begin();
    await shows(screen, /or type c/);
    press("c", "Enter");
    await shows(screen, /Waiting for approval/);
    expect(textOn(screen)).toMatch(/Enter \w{4}-\w{4}/);
    expect(textOn(screen)).not.toMatch(/[▀▄]|QR code/);
  });

  it("shows a code at once with --code", async () => {
    const { begin } = await atHome(["login", "--code"]);
    const { screen } = begin();
    await shows(screen, /Waiting for approval/);
    expect(textOn(screen)).not.toContain("Press Enter");
  });

  it("shows a code when the server has been restarted, and says why", async () => {
    const { begin } = await atHome(["login"], "of the start before");
    const { screen, press } = begin();
    await shows(screen, /or type c/);
    press("Enter");
    await shows(screen, /Waiting for approval/);
    expect(textOn(screen)).toContain("The server wants a code");
  });

  it("ignores a local secret that others can read, with a message", async () => {
    const { begin, dataDirectory } = await atHome(["login"]);
    const directory = join(dataDirectory, "local-servers");
    chmodSync(join(directory, readdirSync(directory)[0]!), 0o644);
    const { screen } = begin();
    await shows(screen, /Waiting for approval/);
    expect(textOn(screen)).toContain("is not used: others than you can");
  });

  it("exits with 130 at Ctrl+C, without a sign-in", async () => {
    const { begin, tool } = await atHome(["login"]);
    const { screen, press } = begin();
    await shows(screen, /or type c/);
    press("C-c");
    await shows(screen, "exit code 130");
    expect((await tool("whoami")).code).toBe(4);
  });
});

it("tool auth switch lets the user pick a server at a terminal", async ({ skip }) => {
  skip(!hasTerminal, "tmux is not installed");
  const apps = [await startApp(), await startApp(), await startApp()];
  const somebody = user();
  for (const app of apps) {
    expect(
      (await somebody.piped(await app.key(["read"]), "login", "--with-token", "--base-url", app.url)).code,
    ).toBe(0);
  }
  const { screen, press } = terminal([process.execPath, TOOL, "auth", "switch"], {
    columns: 80,
    rows: 24,
    env: somebody.env,
  });
  await shows(screen, /Go on with which one\?/);
  const [first] = apps;
  press(...new URL(first?.url ?? "").port);
  press("Enter");
  await shows(screen, "exit code 0");
  expect((await somebody.tool("whoami", "--json")).json.baseUrl).toBe(first?.url);
});
