import fc from "fast-check";
import { codePoint } from "../../support/code-point.ts";

/** The subset of JSON Schema that zod writes. */
export interface Schema {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

/** An arbitrary JSON text rather than a value, since no value has a duplicate member or a number of 400 digits. */
type Text = fc.Arbitrary<string>;

/** Strings that commonly break software. */
export const hostileString: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["", " ", "\0", "\ud800", "\ufeff", "\u202e\u0000", "__proto__", "constructor", "toString", "null"],
    ...["../../../../etc/passwd", "%00", "%ff", "..%2f", "'; DROP TABLE users; --", "#{7*7}", "{{7*7}}"],
    ...["\r\nSet-Cookie: a=b", "<script>alert(1)</script>", "NaN", "-0", "1e999", "0x10", "٣", "𝕏", "ﷺ", "İ"],
    ...[
      "tak_",
      `tat_${"0".repeat(57)}`,
      "acc_",
      "usr_",
      "*",
      "?",
      "#",
      "|",
      "\\",
      "/",
      "//",
      "a/b",
      ";",
      ",",
    ],
  ),
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc
    .constantFrom("a", "é", "\ud83d\ude00", "\0")
    .chain((unit) => fc.constantFrom(255, 256, 257, 1025, 20_000).map((length) => unit.repeat(length))),
);

const hostileNumber: Text = fc.constantFrom(
  ...["0", "-0", "-1", "1.5", "1e308", "1e999", "-1e999", "5e-324", "9007199254740993", "2147483648"],
  ...[`1${"0".repeat(400)}`, `0.${"1".repeat(400)}`, "1E+2", "100.0", "-9223372036854775809"],
);

const deep: Text = fc
  .tuple(fc.constantFrom("[", '{"a":', '{"__proto__":'), fc.constantFrom(2, 31, 32, 33, 1_000, 30_000))
  .map(([open, levels]) => `${open.repeat(levels)}1${(open === "[" ? "]" : "}").repeat(levels)}`);

/** Any JSON text, harmless or not. */
const anyText: Text = fc.oneof(
  fc.constantFrom(
    "null",
    "true",
    "false",
    "{}",
    "[]",
    '""',
    "[[]]",
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1}}',
  ),
  hostileNumber,
  hostileString.map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 3 }),
  { arbitrary: deep, weight: 1 },
);

/** Texts that are not JSON. */
export const brokenText: Text = fc.constantFrom(
  ...[
    "",
    "{",
    "}",
    "nul",
    "[1,]",
    "{a:1}",
    "{'a':1}",
    "\ufeff",
    "{}\ufeff",
    "{}{}",
    "//\n{}",
    "NaN",
    "\0",
    "[",
    '{"a":',
  ],
  ...["[".repeat(100_000), '[{"":'.repeat(50_000), '"\u0001"', "01", "1.", "+1", '"\\x"', '{"a":1}garbage'],
);

/** Generates texts that mostly match a schema, with an occasional member that does not. */
export function textFor(schema: Schema): Text {
  return fc.oneof({ arbitrary: kindText(schema), weight: 8 }, { arbitrary: anyText, weight: 1 });
}

function kindText(schema: Schema): Text {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(textFor));
  if (schema.enum) return fc.constantFrom(...schema.enum).map((value) => JSON.stringify(value));
  switch (schema.type) {
    case "string":
      return stringFor(schema).map((text) => JSON.stringify(text));
    case "integer":
    case "number":
      return fc.integer({ min: Math.max(schema.minimum ?? -5, -5), max: 200 }).map(String);
    case "boolean":
      return fc.boolean().map(String);
    case "array":
      return fc
        .array(textFor(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 4 })
        .map((items) => `[${items.join(",")}]`);
    case "object":
      return objectFor(schema);
    default:
      return anyText;
  }
}

function objectFor({ properties = {}, required = [], additionalProperties }: Schema): Text {
  const members = Object.entries(properties).map(([name, schema]) => {
    const member = textFor(schema).map((text) => [`${JSON.stringify(name)}:${text}`]);
    const often = required.includes(name) ? 20 : 1;
    return fc.oneof({ arbitrary: member, weight: often }, { arbitrary: fc.constant([]), weight: 1 });
  });
  const free = typeof additionalProperties === "object" ? textFor(additionalProperties) : anyText;
  const extra = fc.tuple(hostileString, free).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  const extras = fc.array(extra, { maxLength: 2 });
  const rarely = additionalProperties === false ? 12 : 1;
  return fc
    .tuple(...members, fc.oneof({ arbitrary: fc.constant([]), weight: rarely }, extras), fc.nat(20))
    .map((parts) => {
      const all = (parts.slice(0, -1) as string[][]).flat();
      // A duplicate member.
      if (parts.at(-1) === 0 && all[0]) all.push(all[0]);
      return `{${all.join(",")}}`;
    });
}

/** Generates strings that match a schema, or nearly. */
export function stringFor({
  format,
  enum: values,
  minLength = 0,
  maxLength = 64,
}: Schema): fc.Arbitrary<string> {
  if (values) return fc.constantFrom(...values.map(String));
  if (format === "email") return fc.nat(1e9).map((number) => `user${number}@example.test`);
  if (format === "date-time") {
    return fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString());
  }
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.max(minLength, Math.min(maxLength, 12)) });
}
