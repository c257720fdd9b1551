import { type Page, unescapeHtml, type Visitor } from "./visitor.ts";

/** A form on a page that changes something. */
export interface FoundForm {
  /** Path of the action, without the query. */
  path: string;
  /** Action, verbatim. */
  action: string;
  /** Values of its hidden field `do`, or of its buttons' `do`; "" if it has none. */
  actions: string[];
  hidden: Record<string, string>;
  /** Names of its fields, without those that every form has. */
  fields: string[];
}

const OF_EVERY = ["form_token", "next"];

/** Returns the POST forms of a page. */
export function formsOf({ html }: Pick<Page, "html">): FoundForm[] {
  return [...html.matchAll(/<form [^>]*method="post"[^>]*>.*?<\/form>/gs)].map(([form]) => {
    const action = unescapeHtml(/ action="([^"]*)"/.exec(form)?.[1] ?? "");
    const hidden = Object.fromEntries(
      [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
        ([, name = "", value = ""]) => [unescapeHtml(name), unescapeHtml(value)],
      ),
    );
    const buttons = [...form.matchAll(/<button [^>]*>/g)]
      .filter(([button]) => button.includes(' name="do"'))
      .map(([button]) => / value="([^"]*)"/.exec(button)?.[1] ?? "");
    const actions = buttons.length > 0 ? buttons : [hidden.do ?? ""];
    const names = [...form.matchAll(/<(?:input|select|textarea|button)[^>]* name="([^"]*)"/g)];
    const fields = [...new Set(names.map(([, name = ""]) => name))].filter(
      (name) => !OF_EVERY.includes(name),
    );
    return {
      path: new URL(action, "http://here.invalid").pathname,
      action,
      actions,
      hidden,
      fields: fields.sort(),
    };
  });
}

/** Submits the form of a page with this action. `fields` are added to its hidden fields and override them. */
export async function press(
  browser: Visitor,
  path: string,
  action = "",
  fields: Record<string, string> = {},
): Promise<Page> {
  const page = await browser.get(path);
  const { pathname } = new URL(path, "http://here.invalid");
  const isMeant = (form: FoundForm) =>
    form.path === pathname &&
    form.actions.includes(action) &&
    Object.entries(form.hidden).every(([name, value]) => (fields[name] ?? value) === value || value === "");
  const form = formsOf(page).find(isMeant);
  if (!form) throw new Error(`${path} has no form that does "${action}": ${page.status} ${page.text}`);
  const sent = { ...form.hidden, ...(action !== "" && { do: action }), ...fields };
  return browser.post(form.action, new URLSearchParams(sent).toString());
}
