import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { type Life, serveLife } from "../src/cli/server/demo-kept.ts";
import { systemClock } from "../src/system/clock.ts";
import { packageRoot } from "../src/system/package.ts";
import { createRandom } from "../src/system/random.ts";

const MAX_BYTES = 28 * 1024;
const SIZE = { width: 1280, height: 800 };

/** Pages of the console, as the operator sees them, for `docs/pictures/<name>.webp`. */
const PICTURES: readonly {
  name: string;
  path: string | ((life: Life) => Promise<string>);
  dark?: boolean;
  height?: number;
}[] = [
  { name: "overview", path: "/" },
  { name: "overview-dark", path: "/", dark: true },
  { name: "usage", path: "/usage" },
  { name: "keys", path: "/keys" },
  { name: "people", path: "/people" },
  { name: "errors", path: "/errors" },
  { name: "deliveries", path: failingWebhook },
  { name: "graph", path: "/graph" },
  { name: "accounts", path: "/server/accounts" },
  {
    name: "account-usage",
    path: async ({ accounts }) => `/server/accounts?id=${accounts[0]?.id}`,
    height: 1000,
  },
];

/** `npm run pictures`: takes the documentation's pictures of the console that `tool demo --keep` serves. */
const directory = mkdtempSync(join(tmpdir(), "toolplane-pictures-"));
const signal = new AbortController().signal;
const life = await serveLife({ clock: systemClock, random: createRandom(systemClock), directory, signal });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: SIZE });
  await signIn(page, life);
  mkdirSync(join(packageRoot, "docs/pictures"), { recursive: true });
  for (const { name, path: given, dark, height = SIZE.height } of PICTURES) {
    await page.setViewportSize({ ...SIZE, height });
    const path = typeof given === "string" ? given : await given(life);
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
    const answer = await page.goto(life.server.url + path);
    if (!answer?.ok()) throw new Error(`${path} answered ${answer?.status()}.`);
    const picture = await taken(page);
    writeFileSync(join(packageRoot, `docs/pictures/${name}.webp`), picture);
    console.log(`docs/pictures/${name}.webp  ${Math.ceil(picture.length / 1024)} KB`);
  }
} finally {
  await browser.close();
  await life.server.close();
  rmSync(directory, { recursive: true, force: true });
}

/** Returns the path of the page of the webhook whose receiver was down. */
async function failingWebhook({ accounts: [first], server }: Life): Promise<string> {
  const webhooks = await server.app.services.alerts.webhooks.list(first?.id ?? "");
  const webhook = webhooks.find(({ url }) => url.includes("tickets"));
  return `/alerts?webhook=${webhook?.id}`;
}

async function signIn(page: Page, { ways: [operator], server, password }: Life): Promise<void> {
  await page.goto(`${server.url}/sign-in`);
  await page.fill("#email", operator?.email ?? "");
  await page.fill("#password", password);
  await page.press("#password", "Enter");
  await page.waitForURL(`${server.url}/`);
}

/** Takes a WebP at the best quality that fits `MAX_BYTES`. Playwright's own screenshots do not support WebP. */
async function taken(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  for (let quality = 90; ; quality -= 10) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const picture = Buffer.from(data, "base64");
    if (picture.length <= MAX_BYTES) return picture;
    if (quality === 10) throw new Error(`No picture of ${page.url()} fits into ${MAX_BYTES} bytes.`);
  }
}
