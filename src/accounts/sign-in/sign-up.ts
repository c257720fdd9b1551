import { asciiDomain } from "../../system/network/ascii-domain.ts";

/** Who may sign up without an invitation: anybody, nobody, or owners of a proven address of certain domains. */
export type SignUpRule = "open" | "invite" | { domains: readonly string[] };

const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** Parses `open`, `invite` or `domain:example.com,example.org`. Throws an `Error` with a message for the operator. */
export function parseSignUp(text: string): SignUpRule {
  if (text === "open" || text === "invite") return text;
  const [kind, list = ""] = text.split(/:(.*)/s);
  const domains = list
    .toLowerCase()
    .split(",")
    .map((domain) => asciiDomain(domain.trim()));
  if (kind === "domain" && domains.every((domain) => DOMAIN.test(domain))) return { domains };
  throw new Error(
    `signUp or --sign-up takes open, invite, or the domains whose addresses may sign up, as domain:example.com,example.org; "${text}" is none of these.`,
  );
}

/** Describes a rule for the operator. */
export function inWords(rule: SignUpRule): string {
  if (rule === "open") return "open to everybody";
  if (rule === "invite") return "by invitation alone";
  return `by invitation, and for addresses of ${rule.domains.join(", ")}`;
}

/** @param email the address that the person has proven, if any. */
export function admits(rule: SignUpRule, email: string | undefined): boolean {
  if (typeof rule === "string") return rule === "open";
  return email !== undefined && rule.domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());
}
