import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { onTestFinished } from "vitest";

const CHROMIUM = "/usr/bin/chromium";

/** Why browser tests cannot run here, or undefined where they can. */
export const noBrowser: string | undefined = existsSync(CHROMIUM)
  ? undefined
  : `${CHROMIUM} is missing (Debian's package chromium)`;

/** A headless browser that asks nobody else for anything; closed when the test is over. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  onTestFinished(() => browser.close());
  return browser;
}
