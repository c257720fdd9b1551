import type { Page, Visitor } from "./visitor.ts";

/** A form of a page, which changes something. */
export interface FoundForm {
  /** The path that it is sent to, without the query. */
  path: string;
  /** Its action as it stands. */
  action: string;
  /** What it does: its hidden field `do`, or those of its buttons; "" where it has none. */
  deeds: string[];
  hidden: Record<string, string>;
  /** The names of all that it sends, but for what every form does. */
  fields: string[];
}

const OF_EVERY = ["form_token", "next"];

/** The forms of a page that are sent by POST. */
export function formsOf({ html }: Pick<Page, "html">): FoundForm[] {
  return [...html.matchAll(/<form [^>]*method="post"[^>]*>.*?<\/form>/gs)].map(([form]) => {
    const action = plain(/ action="([^"]*)"/.exec(form)?.[1] ?? "");
    const hidden = Object.fromEntries(
      [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
        ([, name = "", value = ""]) => [plain(name), plain(value)],
      ),
    );
    const buttons = [...form.matchAll(/<button [^>]*>/g)]
      .filter(([button]) => button.includes(' name="do"'))
      .map(([button]) => / value="([^"]*)"/.exec(button)?.[1] ?? "");
    const deeds = buttons.length > 0 ? buttons : [hidden.do ?? ""];
    const names = [...form.matchAll(/<(?:input|select|textarea|button)[^>]* name="([^"]*)"/g)];
    const fields = [...new Set(names.map(([, name = ""]) => name))].filter(
      (name) => !OF_EVERY.includes(name),
    );
    return {
      path: new URL(action, "http://here.invalid").pathname,
      action,
      deeds,
      hidden,
      fields: fields.sort(),
    };
  });
}

/** Presses the button of the form of a page that does this, with its hidden fields, `fields` over them. */
export async function press(
  browser: Visitor,
  path: string,
  deed = "",
  fields: Record<string, string> = {},
): Promise<Page> {
  const page = await browser.get(path);
  const { pathname } = new URL(path, "http://here.invalid");
  const isMeant = (form: FoundForm) =>
    form.path === pathname &&
    form.deeds.includes(deed) &&
    Object.entries(form.hidden).every(([name, value]) => (fields[name] ?? value) === value || value === "");
  const form = formsOf(page).find(isMeant);
  if (!form) throw new Error(`${path} has no form that does "${deed}": ${page.status} ${page.text}`);
  const sent = { ...form.hidden, ...(deed !== "" && { do: deed }), ...fields };
  return browser.post(form.action, new URLSearchParams(sent).toString());
}

function plain(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}
