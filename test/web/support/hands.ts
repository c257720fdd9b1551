import type { Locator, Page } from "playwright-core";

/** A way to operate a page. */
export interface Hands {
  /** Follows a link or presses a button. */
  press(target: Locator): Promise<void>;
  /** Chooses an option by its value, which its text must begin with, in any case. */
  choose(select: Locator, value: string): Promise<void>;
  /** Returns the number of links followed and buttons pressed so far. */
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

/** More tab stops than any page has. */
const MOST_STOPS = 200;

/** Operates a page with Tab, Enter and letters only. */
export function keyboard(page: Page): Hands {
  let count = 0;

  async function reach(target: Locator): Promise<void> {
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      // Without JavaScript, nothing can be evaluated in the page, but locators work.
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
