import type { Sighting, Variant } from "../../finding.ts";
import { LEVEL } from "../../flow/level.ts";
import type { Given } from "../../flow/value.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { SOURCES, seenCall, severityOf } from "./sightings.ts";

interface Words {
  cwe: number;
  /** What the call does with the value, for the message. */
  does: string;
  suggestion: string;
}

/** Texts of the flaws that a rule reports in addition to the one it is named after. */
const WORDS: Readonly<Record<Variant, Words>> = {
  ldap: {
    cwe: 90,
    does: "searches a directory by a filter that holds",
    suggestion:
      "Escape the value as RFC 4515 says (escape_filter_chars, Encode.forLdap) before it becomes part of a filter.",
  },
  xpath: {
    cwe: 643,
    does: "evaluates an XPath expression that holds",
    suggestion: "Hand the value over as an XPath variable, or take only letters and digits.",
  },
  nosql: {
    cwe: 943,
    does: "takes a query whose operators may come from",
    suggestion: "Make a string or a number of the value before it becomes part of a query.",
  },
  redirect: {
    cwe: 601,
    does: "sends the visitor to an address that begins with",
    suggestion: "Redirect to paths of this site only, or to hosts from a fixed list.",
  },
  "request-forgery": {
    cwe: 918,
    does: "asks an address that is named by",
    suggestion: "Take the host from a fixed list, and refuse addresses of the own network.",
  },
  "xml-entities": {
    cwe: 611,
    does: "resolves external entities of",
    suggestion: "Leave external entities and document types off (defusedxml, disallow-doctype-decl).",
  },
};

/** Variants for which a check elsewhere, such as of the host, is common. */
const MILDER: ReadonlySet<Variant> = new Set(["redirect", "request-forgery"]);

export function seenVariant(fragment: Fragment, call: Call, variant: Variant, given: Given): Sighting {
  return seenCall(fragment, call, saidOf(variant, `${call.name}()`, given));
}

/** Returns the texts and the severity of a variant whose `subject` receives a value of a level. */
export function saidOf(variant: Variant, subject: string, { level, by }: Given): Omit<Sighting, "places"> {
  const { cwe, does, suggestion } = WORDS[variant];
  const message = `${subject} ${does} ${SOURCES[level]}.`;
  const severity = MILDER.has(variant) && level === LEVEL.request ? "warning" : severityOf(level);
  return { message, suggestion, cwe, severity, by };
}
