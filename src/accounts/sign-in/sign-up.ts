/** Who may come in whom nobody has invited: anybody, whoever proves an address of these domains, or nobody. */
export type SignUpRule = "open" | "invite" | { domains: readonly string[] };

const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** `open`, `invite` or `domain:example.com,example.org`. Throws an Error for people. */
export function parseSignUp(text: string): SignUpRule {
  if (text === "open" || text === "invite") return text;
  const [kind, list = ""] = text.split(/:(.*)/s);
  const domains = list
    .toLowerCase()
    .split(",")
    .map((domain) => domain.trim());
  if (kind === "domain" && domains.every((domain) => DOMAIN.test(domain))) return { domains };
  throw new Error(
    `--sign-up takes open, invite, or the domains whose addresses may sign up, as domain:example.com,example.org; "${text}" is none of these.`,
  );
}

/** For an operator to read. */
export function inWords(rule: SignUpRule): string {
  if (rule === "open") return "open to everybody";
  if (rule === "invite") return "by invitation alone";
  return `by invitation, and for addresses of ${rule.domains.join(", ")}`;
}

/** @param email that somebody has proven to be theirs, where they have one. */
export function admits(rule: SignUpRule, email: string | undefined): boolean {
  if (typeof rule === "string") return rule === "open";
  return email !== undefined && rule.domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());
}
