import type * as z from "zod";

/** How zod's default messages begin. Any other message was set by a schema and is used unchanged. */
const OF_ZOD =
  /^(?:Invalid input|Invalid option|Too big|Too small): expected |^Invalid ISO date|^Invalid input$|^Invalid key in /;

/** Returns what is wrong with a value, as a phrase that follows its name: "must be a whole number". */
export function faultInWords(issue: z.core.$ZodIssue): string {
  if (!OF_ZOD.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return ofType(issue.expected, / received (\w+)$/.exec(issue.message)?.[1]);
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_big":
      return issue.inclusive === false
        ? `must be below ${issue.maximum}`
        : `must ${amount("at most", Number(issue.maximum), issue.origin)}`;
    case "too_small":
      if (issue.inclusive === false) return `must be above ${issue.minimum}`;
      return Number(issue.minimum) === 1 && COUNTED[issue.origin]
        ? "must not be empty"
        : `must ${amount("at least", Number(issue.minimum), issue.origin)}`;
    case "invalid_format":
      return issue.format === "date"
        ? 'must be a date such as "2026-12-25"'
        : 'must be an ISO 8601 date and time such as "2026-12-25T09:30:00Z"';
    case "invalid_key": {
      const [fault] = issue.issues;
      return fault ? `has a name that ${faultInWords(fault)}` : "has a name that no member may have";
    }
    case "invalid_union":
      return ofUnion(issue.errors) || "has none of the forms that it may have";
    default:
      return issue.message;
  }
}

/** Returns the first fault of each form that the value may have, with the member that it is in. */
function ofUnion(forms: readonly (readonly z.core.$ZodIssue[])[]): string {
  const words = forms.flatMap(([first]) => {
    if (!first) return [];
    const member = first.path.map(String).join(".");
    return member ? `"${member}" ${faultInWords(first)}` : faultInWords(first);
  });
  return [...new Set(words)].join(", or ");
}

function ofType(expected: string, received: string | undefined): string {
  const wanted = KINDS[expected] ?? expected;
  // Text in a query that is no number is NaN once it is converted.
  if (received === undefined || received === "NaN") return `must be ${wanted}`;
  if (received === "undefined") return `is missing: it must be ${wanted}`;
  return expected === "int" && received === "number"
    ? "must be a whole number"
    : `must be ${wanted}, not ${KINDS[received] ?? received}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function amount(bound: string, count: number, origin: string): string {
  const one = COUNTED[origin];
  return one ? `have ${bound} ${count} ${one}${count === 1 ? "" : "s"}` : `be ${bound} ${count}`;
}

/** The unit that zod's size limits count, by the origin of the issue. */
const COUNTED: Readonly<Record<string, string>> = {
  string: "character",
  array: "element",
  set: "element",
  record: "member",
  object: "member",
};
