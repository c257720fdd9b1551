import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const HEIGHT = 900;
const WIDE = 1440;
const NARROWER = 768;
/** Width of a page of 1280 px at a zoom of 200 %. */
const ZOOMED = 640;
const NARROWEST = 320;
/** axe rules that depend on colours, and those that depend on a page's width. No others do. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];
const OF_LAYOUT = ["target-size", "scrollable-region-focusable"];

const TAB = { type: "rawKeyDown", key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 } as const;

/** Inspects pages of a server, one at a time. */
export interface Inspector {
  /** Returns the faults of a page: of axe, of zooming in, of keyboard use and of the content security policy. */
  faultsOf(path: string): Promise<string[]>;
}

/**
 * Returns an inspector that requests each page once and runs axe on what is new: on two of similar rows, and on one of
 * similar pages. At the full width it runs all rules, and in other colours and widths those that depend on them.
 *
 * @param page an empty page of a browser.
 * @param seen the shapes of pages that were inspected before, also by others.
 */
export async function inspector(page: Page, url: string, seen: Set<string>): Promise<Inspector> {
  // Live updates would restore elements that were removed.
  await page.addInitScript("window.EventSource = class { close() {} };");
  await page.addInitScript(WATCH_FOCUS);
  const browser = await page.context().newCDPSession(page);

  /** Resizes the page. Unlike the page's own method, it does not wait for a frame. */
  async function resize(width: number): Promise<void> {
    const size = { width, height: HEIGHT, deviceScaleFactor: 1, mobile: false };
    await browser.send("Emulation.setDeviceMetricsOverride", size);
  }

  async function sideways(path: string): Promise<string[]> {
    const found: string[] = [];
    for (const width of [WIDE, NARROWER, ZOOMED, NARROWEST]) {
      await resize(width);
      const [inner, scrolled]: [number, number] = await page.evaluate(
        "[window.innerWidth, document.documentElement.scrollWidth]",
      );
      if (inner !== width) throw new Error(`The browser is ${inner} px wide, not ${width}.`);
      if (scrolled > width) found.push(`${path} at ${width} px scrolls sideways`);
    }
    return found;
  }

  async function inOtherColours(path: string): Promise<string[]> {
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await axeOn(page, `${path}, dark`, OF_COLOURS);
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
    const forced = await axeOn(page, `${path} in forced colours`, OF_COLOURS);
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
    return [...dark, ...forced];
  }

  /** Runs axe from the narrowest width, which is the current one, to the widest. */
  async function atAllWidths(path: string): Promise<string[]> {
    // Elements that are hidden at other widths have colours, too.
    const found = await axeOn(page, `${path} at ${NARROWEST} px`, [...OF_LAYOUT, ...OF_COLOURS]);
    await resize(NARROWER);
    found.push(...(await axeOn(page, `${path} at ${NARROWER} px`, OF_LAYOUT)));
    await resize(WIDE);
    return [...found, ...(await axeOn(page, path))];
  }

  /** Returns the elements that Tab does not reach, or that show no focus. */
  async function unreached(path: string): Promise<string[]> {
    let left: number = await page.evaluate("focusWalk.begin()");
    // A date field takes several presses. A scroller that is too narrow takes one.
    for (let most = 2 * left + 30; left > 0 && most > 0; most -= left) {
      // The events arrive in order without waiting for each other's answer.
      await Promise.all(Array.from({ length: left }, () => browser.send("Input.dispatchKeyEvent", TAB)));
      left = await page.evaluate("focusWalk.missed().length");
    }
    const { missed, unseen }: Record<"missed" | "unseen", string[]> = await page.evaluate(
      "({ missed: focusWalk.missed(), unseen: focusWalk.unseen() })",
    );
    return [
      ...missed.map((html) => `${path}: Tab does not get to ${html}`),
      ...unseen.map((html) => `${path}: nothing shows that the focus is on ${html}`),
    ];
  }

  return {
    async faultsOf(path) {
      const answer = await page.goto(url + path);
      const policy = answer?.headers()["content-security-policy"] ?? "";
      const found: string[] = [];
      if (!policy.includes("default-src 'none'") || /unsafe|\*/.test(policy))
        found.push(`${path}: ${policy}`);
      const inline = await page.$$eval("[style], style, script:not([src])", (all) =>
        all.map((each) => each.outerHTML.slice(0, 100)),
      );
      found.push(...inline.map((html) => `${path}: ${html}`), ...(await sideways(path)));
      // What a paragraph cannot hold, such as a form, ends it, and its own end tag then makes an empty one.
      const empty = await page.$$eval("p:empty", (all) => all.map((each) => each.parentElement?.outerHTML));
      found.push(...empty.map((html) => `${path}: empty paragraph in ${html?.slice(0, 200)}`));
      const shapes: string[] = await page.evaluate(THIN_OUT);
      if (shapes.every((shape) => seen.has(shape))) return found;
      for (const shape of shapes) seen.add(shape);
      await page.evaluate(AXE);
      found.push(...(await atAllWidths(path)), ...(await inOtherColours(path)));
      found.push(...(await unreached(path)));
      return found;
    },
  };
}

/** @param rules the rules to run; by default all. */
async function axeOn(page: Page, where: string, rules?: string[]): Promise<string[]> {
  // Leaves out checks that pass: describing and sending them takes twice as long as the rest.
  const asked = { resultTypes: ["violations"], preload: false, ...(rules && { runOnly: rules }) };
  const { violations }: Pick<AxeResults, "violations"> = await page.evaluate(
    `axe.run(${JSON.stringify(asked)}).then(({ violations }) => ({ violations }))`,
  );
  return violations.map(
    ({ id, nodes }) => `${where}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).slice(0, 3)}`,
  );
}

/** Records the elements that the keyboard reaches from the page's start. A focus trap keeps it from the rest. */
const WATCH_FOCUS = `window.focusWalk = (() => {
  const OPERABLE =
    ":is(a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]):not([tabindex='-1'], :disabled)";
  const reached = new Set();
  const unseen = new Set();
  let stops = [];
  const said = (elements) => [...elements].map((element) => element.outerHTML.slice(0, 120));
  addEventListener("focusin", ({ target }) => {
    reached.add(target);
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target);
    if ((outlineStyle === "none" || outlineWidth === "0px") && boxShadow === "none") unseen.add(target);
  });
  /* Tab gets to the chosen one of radio buttons, arrows to the others. */
  const isOneOfItsName = (element) => {
    if (element.type !== "radio") return true;
    const alike = [...(element.form ?? document).querySelectorAll('[name="' + element.name + '"]')];
    return element === (alike.find(({ checked }) => checked) ?? alike[0]);
  };
  return {
    begin() {
      document.activeElement.blur();
      getSelection().setPosition(document.body, 0);
      stops = [...document.querySelectorAll(OPERABLE)].filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && isOneOfItsName(element),
      );
      reached.clear();
      unseen.clear();
      return stops.length;
    },
    missed: () => said(stops.filter((element) => !reached.has(element))),
    unseen: () => said(unseen),
  };
})();`;

/**
 * Keeps two of the rows, entries and marks that differ only in text. Returns the rest of the page's content and of its
 * frame without text, which is the same for similar pages.
 */
const THIN_OUT = `(() => {
  const MANY = "tbody, ul, ol, select, datalist, svg, g";
  /* The values of these say how an element looks or what it is; of others it matters that they are there. */
  const TELLING = /^(class|role|type|aria-(current|sort|expanded|pressed|hidden)|scope|open|data-(?!live).*)$/;
  const shapeOf = (element) => {
    const attributes = [...element.attributes]
      .map(({ name, value }) => (TELLING.test(name) ? name + "=" + value : name))
      .sort();
    const seen = new Map();
    const children = [];
    for (const child of [...element.children]) {
      const shape = shapeOf(child);
      const times = (seen.get(shape) ?? 0) + 1;
      seen.set(shape, times);
      if (times > 2 && element.matches(MANY)) child.remove();
      else children.push(shape);
    }
    const isWordless = element.textContent.trim() === "";
    return "<" + [element.localName, ...attributes, isWordless].join(" ") + ">" + children.join("") + "</>";
  };
  const inside = shapeOf(document.querySelector("main"));
  /* Which of the sections is this one matters to none. */
  const frame = shapeOf(document.body).replace(inside, "").replace(' aria-current=page', "");
  return [inside, frame];
})()`;
