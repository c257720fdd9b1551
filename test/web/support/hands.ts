import type { Locator, Page } from "playwright-core";

/** How somebody works a page. */
export interface Hands {
  /** Follows a link or presses a button. */
  press(target: Locator): Promise<void>;
  /** By its value, with which what it says begins, too, whatever its case. */
  choose(select: Locator, value: string): Promise<void>;
  /** Links followed and buttons pressed so far. */
  count(): number;
}

export function mouse(): Hands {
  let count = 0;
  return {
    async press(target) {
      count++;
      await target.click();
    },
    async choose(select, value) {
      await select.selectOption(value);
    },
    count: () => count,
  };
}

/** No page has as many stops. */
const MOST_STOPS = 200;

/** Tab, Enter and letters alone. */
export function keyboard(page: Page): Hands {
  let count = 0;

  async function reach(target: Locator): Promise<void> {
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      // Without script nothing can be evaluated, but found it can.
      if ((await target.and(page.locator(":focus")).count()) === 1) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not get to ${target}.`);
  }

  return {
    async press(target) {
      count++;
      await reach(target);
      await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    },
    async choose(select, value) {
      await reach(select);
      await page.keyboard.type(value);
    },
    count: () => count,
  };
}
