import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const CHROMIUM = "/usr/bin/chromium";

/** Why browser tests cannot run here, or undefined where they can. */
export const noBrowser: string | undefined = existsSync(CHROMIUM)
  ? undefined
  : `${CHROMIUM} is missing (Debian's package chromium)`;

let started: Promise<Browser> | undefined;

/** A page of a person of their own, in a headless browser that asks nobody else for anything; gone after the test. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  // One for all tests of this process, with which it ends.
  started ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    // It asks for the system's, and complains of its lack.
    env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: "disabled:" },
  });
  const context = await (await started).newContext(options);
  onTestFinished(() => context.close());
  return context.newPage();
}
