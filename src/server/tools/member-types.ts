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

/** Types that accept no JSON unless zod is told to convert it, and what to use instead. */
const NO_JSON: Readonly<Record<string, string>> = {
  bigint: "z.coerce.bigint()",
  date: "z.iso.datetime()",
  file: "z.base64()",
  map: "z.record()",
  set: "z.array()",
};

const IN_A_BODY = "a method with a body, such as POST";
/** Likewise types that accept no text. */
const NO_TEXT: Readonly<Record<string, string>> = {
  bigint: "z.coerce.bigint()",
  boolean: "z.stringbool()",
  date: "z.iso.datetime()",
  number: "z.coerce.number()",
  ...Object.fromEntries(
    ["array", "file", "map", "object", "record", "set", "tuple"].map((type) => [type, IN_A_BODY]),
  ),
};

/** Types that JSON turns into an empty object, or not into anything. */
const NO_ANSWER: Readonly<Record<string, string>> = {
  bigint: "z.string()",
  file: "z.base64()",
  map: "z.record()",
  set: "z.array()",
};

/**
 * Throws if an endpoint takes from its path or its query what is no text, or from its body what is no JSON: each
 * request would be refused; or if it answers with what is no JSON.
 */
export function checkMemberTypes({ name, method, path, input, output }: Endpoint, owner: string): void {
  const others = method === "GET" || method === "DELETE" ? "query" : "body";
  for (const [member, schema] of Object.entries(input.shape as Record<string, unknown>)) {
    const place = path.includes(`{${member}}`) ? "path" : others;
    const [form, refused] = place === "body" ? ["JSON", NO_JSON] : ["text", NO_TEXT];
    if (place !== "body" && isAnyTextTrue(schema as Schema)) {
      throw new Error(
        `The endpoint ${name} of ${owner} takes ${member} from its ${place} by z.coerce.boolean(), for which the text "false" is true: use z.stringbool().`,
      );
    }
    const type = refusedTypeOf(schema as Schema, refused);
    if (type === undefined) continue;
    throw new Error(
      `The endpoint ${name} of ${owner} takes ${member} (${type}) from its ${place}, where everything is ${form}: use ${refused[type]}.`,
    );
  }
  for (const schema of [output, ...Object.values("shape" in output ? (output.shape as object) : {})]) {
    const type = refusedTypeOf(schema as unknown as Schema, NO_ANSWER);
    if (type === undefined) continue;
    throw new Error(
      `The endpoint ${name} of ${owner} answers with a ${type}, which JSON has not: use ${NO_ANSWER[type]}.`,
    );
  }
}

function isAnyTextTrue({ _zod: { def } }: Schema): boolean {
  if (def.innerType) return isAnyTextTrue(def.innerType);
  return def.type === "boolean" && def.coerce === true;
}

/** Returns the type of a schema that accepts values of refused types alone; undefined for any other. */
function refusedTypeOf(
  { _zod: { def } }: Schema,
  refused: Readonly<Record<string, string>>,
): string | undefined {
  const inner = def.innerType ?? def.in;
  if (inner) return refusedTypeOf(inner, refused);
  if (def.type === "union") {
    const types = def.options?.map((option) => refusedTypeOf(option, refused)) ?? [];
    return types.includes(undefined) ? undefined : types[0];
  }
  const types = def.type === "literal" ? (def.values ?? []).map((value) => typeof value) : [def.type];
  return types.every((type) => type in refused) && !def.coerce ? types[0] : undefined;
}
