import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const CHROMIUM = "/usr/bin/chromium";

/** Reason why browser tests cannot run here, or undefined if they can. */
export const noBrowser: string | undefined = existsSync(CHROMIUM)
  ? undefined
  : `${CHROMIUM} is missing (Debian's package chromium)`;

let started: Promise<Browser> | undefined;

/** Opens a page in a new profile of a headless browser without background traffic, and closes it after the test. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  // One browser for all tests of this process. It ends with the process.
  started ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    // Chromium looks for the system bus, and prints errors if it is missing.
    env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: "disabled:" },
  });
  const context = await (await started).newContext(options);
  onTestFinished(() => context.close());
  return context.newPage();
}
