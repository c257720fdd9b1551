import { DRAWING_SCRIPT } from "../graph/drawing-script.ts";

/**
 * The console's script, without which every page works, too. It updates the live parts of a page (`live.tsx`) while
 * the page is visible, filters lists as the user types, sends a form once
 * however often its button is pressed, zooms and pans drawings, and copies commands.
 */
export const CONSOLE_SCRIPT = `"use strict";
const parse = (html) => new DOMParser().parseFromString(html, "text/html");
const parts = (page) => page.querySelectorAll("[data-live]");
/* Undefined on pages of nobody's, such as the one to sign in. */
const viewerOf = (page) => page.querySelector("#sections")?.dataset.viewer;
const isTheirs = (page) => viewerOf(page) === viewerOf(document);

/* What people opened, filled in or have the focus on is found again by what it is for, since rows come, go and move. */
const HELD = "details, summary, a, button, input:not([type=hidden]), select, textarea, [tabindex]";
const idOf = (element) => {
  const form = element.closest("form") ?? element.closest("details")?.querySelector("form");
  const { textContent } = element.matches("details") ? element.querySelector("summary") : element;
  const isField = element.matches("input, select, textarea, [tabindex]");
  const of = ["href", "name", "aria-label"].map((name) => element.getAttribute(name));
  const hidden = form ? [...form.querySelectorAll("input[type=hidden]")].map(({ value }) => value) : [];
  return [element.tagName, ...of, isField ? "" : textContent, ...hidden].join("\\n");
};
const heldIn = (part) => {
  const held = new Map();
  for (const element of part.querySelectorAll(HELD)) {
    let id = idOf(element);
    while (held.has(id)) id += "\\n";
    held.set(id, element);
  }
  return held;
};
/* Another one than the page came with. */
const isChosen = ({ options, value }) =>
  value !== ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value;
const restore = (was, now) => {
  if (was.matches("details")) now.open = was.open;
  if (was.matches("input, textarea") && was.value !== was.defaultValue) now.value = was.value;
  if (was.matches("input") && was.checked !== was.defaultChecked) now.checked = was.checked;
  const has = ({ value }) => value === was.value;
  if (was.matches("select") && isChosen(was) && [...now.options].some(has)) now.value = was.value;
};

/* What somebody is in the middle of, such as of copying an id, stays as it is. */
const isBusy = (part) => {
  const { activeElement } = document;
  const selection = getSelection();
  return (part.contains(activeElement) && activeElement.matches("input, select, textarea")) ||
    (!selection.isCollapsed && selection.containsNode(part, true));
};

const renew = (page, force) => {
  const fresh = new Map([...parts(page)].map((part) => [part.dataset.live, part]));
  for (const part of parts(document)) {
    const next = fresh.get(part.dataset.live);
    if (!next || part.innerHTML === next.innerHTML || (!force && isBusy(part))) continue;
    const { activeElement } = document;
    const held = heldIn(part);
    /* What has left the page is scrolled no more. */
    const scrolled = new Map([...held].map(([id, { scrollLeft, scrollTop }]) => [id, [scrollLeft, scrollTop]]));
    part.replaceChildren(...document.adoptNode(next).childNodes);
    furnish(part);
    const found = heldIn(part);
    /* If what has the focus is gone, as its row is, what is left before it gets it: nothing that Enter would change. */
    let left;
    for (const [id, was] of held) {
      const now = found.get(id);
      if (now) {
        restore(was, now);
        now.scrollTo(...scrolled.get(id));
      }
      if (now?.matches("a, summary, [tabindex]")) left = now;
      if (was === activeElement) (now ?? left)?.focus({ preventScroll: true });
    }
  }
};

/* Whoever signs in or out in another tab changes what this address shows. What is here stays, and is said to be old. */
let isOld = false;
const growOld = () => {
  isOld = true;
  source?.close();
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.role = "alert";
  const reload = document.createElement("a");
  reload.href = location.pathname + location.search;
  reload.textContent = "Reload it";
  notice.append("Your sign-in has changed, and this page is as it was before. ", reload, " to go on.");
  document.querySelector("main").prepend(notice);
};
const take = (page) => {
  if (isOld) return;
  if (isTheirs(page)) renew(page, false);
  else growOld();
};

/* A stream that was refused, as by a proxy whose server starts anew, is asked for again. */
const AGAIN_MS = 30_000;
let source;
let again;
const follow = () => {
  clearTimeout(again);
  source?.close();
  source = undefined;
  if (isOld || document.hidden || !document.querySelector("[data-live]:not([data-still])")) return;
  source = new EventSource(location.href);
  source.onmessage = ({ data }) => take(parse(data));
  source.onerror = ({ target }) => {
    if (target !== source || target.readyState !== EventSource.CLOSED) return;
    again = setTimeout(follow, AGAIN_MS);
    look().catch(() => {});
  };
};
/* Only the page itself tells why its stream was refused. */
const look = async () => {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (answer.ok) take(parse(await answer.text()));
};
document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", () => source?.close());

/* What changes while the focus is elsewhere is told to screen readers. */
const told = document.createElement("div");
told.className = "unseen";
told.role = "status";
document.querySelector("main").append(told);
const tell = (text) => { told.textContent = text; };
/* What a filtered list begins with: words, as where nothing is found, or its rows. */
const found = () => {
  const [first] = [...parts(document)].flatMap((part) => [...part.querySelectorAll("p.muted, table, .items")]);
  if (!first || first.matches("p")) return first?.textContent ?? "";
  return first.querySelectorAll(first.matches("table") ? "tbody tr" : ":scope > li").length + " shown";
};

const filter = async (form) => {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== "") asked.set(name, value);
  const address = form.getAttribute("action") + (asked.size === 0 ? "" : "?" + asked);
  form.dataset.asked = address;
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (form.dataset.asked !== address) return;
  if ([429, 502, 503, 504].includes(answer.status)) throw new Error("not now");
  const page = parse(await answer.text());
  if (!answer.ok || !isTheirs(page)) return form.submit();
  history.replaceState(null, "", address);
  renew(page, true);
  tell(found());
  follow();
};

/* While the server is away, the page stays, and with it what is typed in other forms. */
const FILTER_AGAIN_MS = 3000;
let timer;
const filterSoon = (form, ms) => {
  clearTimeout(timer);
  timer = setTimeout(() => filter(form).catch(() => filterSoon(form, FILTER_AGAIN_MS)), ms);
};
/* 300 ms after the last key: a word typed is one question. */
document.addEventListener("input", ({ target }) => {
  const form = target.form;
  if (form?.matches("form[data-filter]")) filterSoon(form, 300);
});

/* A reload neither sends the form that led here again, nor shows once more what it has done. */
const address = new URL(location.href);
address.searchParams.delete("done");
if (document.querySelector("#secret") || address.href !== location.href) history.replaceState(null, "", address);

/* After five seconds it can be tried again: the browser may have been stopped. */
const sent = new WeakSet();
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), 5000);
});

const furnish = (root) => {
  for (const frame of root.querySelectorAll("[data-zoom]")) zoomable(frame);
  if (!navigator.clipboard) return;
  for (const command of root.querySelectorAll(".command:not([data-copied])")) {
    command.dataset.copied = "";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(command.querySelector("code").textContent);
      button.textContent = "Copied";
      tell("Copied");
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    command.append(button);
  }
};

${DRAWING_SCRIPT}
furnish(document);
follow();
`;
