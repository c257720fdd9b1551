import type { Endpoint } from "../../contract/endpoint.ts";

/** What this module reads of a schema of zod. */
interface Schema {
  _zod: {
    def: {
      type: string;
      coerce?: boolean;
      innerType?: Schema;
      in?: Schema;
      options?: Schema[];
      values?: unknown[];
    };
  };
}

const REMEDIES: Readonly<Record<string, string>> = {
  number: "z.coerce.number()",
  bigint: "z.coerce.bigint()",
  boolean: "z.stringbool()",
  date: "z.iso.datetime()",
};
const NEVER_TEXT = [
  "array",
  "tuple",
  "object",
  "record",
  "map",
  "set",
  "null",
  "undefined",
  "nan",
  "void",
  "file",
];

/**
 * Throws if an endpoint takes what is no text from its path or its query, where everything is text: each request would
 * be refused.
 */
export function checkTextMembers({ name, method, path, input }: Endpoint, owner: string): void {
  const hasQuery = method === "GET" || method === "DELETE";
  for (const [member, schema] of Object.entries(input.shape as Record<string, unknown>)) {
    const inPath = path.includes(`{${member}}`);
    if (!(inPath || hasQuery)) continue;
    const type = typeOfNoText(schema as Schema);
    if (type === undefined) continue;
    const remedy = REMEDIES[type] ?? "a method with a body, such as POST";
    throw new Error(
      `The endpoint ${name} of ${owner} takes ${member} (${type}) from its ${inPath ? "path" : "query"}, where everything is text: use ${remedy}.`,
    );
  }
}

/** Returns the type of a schema that accepts no text; undefined for one that may. */
function typeOfNoText({ _zod: { def } }: Schema): string | undefined {
  const inner = def.innerType ?? def.in;
  if (inner) return typeOfNoText(inner);
  if (def.type === "union") {
    const types = def.options?.map(typeOfNoText) ?? [];
    return types.includes(undefined) ? undefined : types[0];
  }
  if (def.type === "literal") {
    return def.values?.some((value) => typeof value === "string") ? undefined : "no text";
  }
  if (NEVER_TEXT.includes(def.type)) return def.type;
  return def.type in REMEDIES && !def.coerce ? def.type : undefined;
}
