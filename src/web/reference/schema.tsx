import type { ReactElement } from "react";
import { defined } from "../../system/defined.ts";
import { grouped } from "../../text/grouped.ts";
import { type ApiDocument, nameIn, type Parameter, type Schema } from "./document.ts";
import { inline } from "./prose.tsx";

/** Below this depth only names are shown; `openapi.json` has the rest. */
const MAX_DEPTH = 4;

/** Shows the members of an object and their types. Nested members can be expanded. */
export function Members(props: { schema: Schema; document: ApiDocument; depth?: number }): ReactElement {
  const { document, depth = 0 } = props;
  const schema = resolved(props.schema, document);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    return (
      <ul className="items">
        {choices.map((choice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the page is rendered once, so nothing moves
          <li key={index} className="stack tight">
            <p className="small muted">
              {index === 0 ? "Either" : "Or"}: {typeOf(choice, document)}
            </p>
            {isNested(choice, document) && <Members schema={choice} document={document} depth={depth + 1} />}
          </li>
        ))}
      </ul>
    );
  }
  const properties = Object.entries(merged(schema, document).properties ?? {});
  const { required = [] } = merged(schema, document);
  if (properties.length === 0) return <p className="small">{typeOf(schema, document)}</p>;
  return (
    <ul className="items">
      {properties.map(([name, member]) => (
        <Member
          key={name}
          name={name}
          schema={member}
          required={required.includes(name)}
          document={document}
          depth={depth}
        />
      ))}
    </ul>
  );
}

/** Shows the parameters of an operation in one place, such as the path. */
export function Parameters(props: { list: readonly Parameter[]; document: ApiDocument }): ReactElement {
  return (
    <ul className="items">
      {props.list.map(({ name, schema, required = false, description }) => (
        <Member
          key={name}
          name={name}
          schema={{ ...schema, ...defined({ description }) }}
          required={required}
          document={props.document}
          depth={0}
        />
      ))}
    </ul>
  );
}

function Member(props: {
  name: string;
  schema: Schema;
  required: boolean;
  document: ApiDocument;
  depth: number;
}): ReactElement {
  const { name, schema, required, document, depth } = props;
  const whole = resolved(schema, document);
  const inner =
    whole.items ?? (typeof whole.additionalProperties === "object" ? whole.additionalProperties : whole);
  const description = schema.description ?? whole.description;
  const bounds = boundsOf(whole);
  return (
    <li className="stack tight">
      <p>
        <code>
          <strong>{name}</strong>
        </code>{" "}
        <span className="small muted">
          {typeOf(schema, document)}
          {required && " · required"}
          {bounds !== "" && ` · ${bounds}`}
        </span>
      </p>
      {description !== undefined && <p className="small">{inline(description)}</p>}
      {depth < MAX_DEPTH && isNested(inner, document) && (
        <details>
          <summary>
            Members<span className="unseen"> of {name}</span>
          </summary>
          <Members schema={inner} document={document} depth={depth + 1} />
        </details>
      )}
    </li>
  );
}

function resolved(schema: Schema, document: ApiDocument): Schema {
  let at = schema;
  // Bounded, since a reference to itself would never end. Chains of references are rare.
  for (let steps = 0; at.$ref !== undefined && steps < 8; steps++) {
    const { $ref, ...beside } = at;
    at = { ...document.components.schemas[nameIn($ref)], ...beside };
  }
  return at;
}

/** Merges an intersection into the one object that it describes. */
function merged(schema: Schema, document: ApiDocument): Schema {
  if (!schema.allOf) return schema;
  const parts = [schema, ...schema.allOf.map((part) => merged(resolved(part, document), document))];
  return {
    ...schema,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function isNested(schema: Schema, document: ApiDocument): boolean {
  const whole = merged(resolved(schema, document), document);
  if (whole.properties) return Object.keys(whole.properties).length > 0;
  return (whole.anyOf ?? whole.oneOf ?? []).some((choice) => isNested(choice, document));
}

function typeOf(schema: Schema, document: ApiDocument): string {
  const whole = resolved(schema, document);
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  if (whole.enum) return whole.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = whole.anyOf ?? whole.oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, document)))].join(" or ");
  if (whole.items) return `array of ${typeOf(whole.items, document)}`;
  const named = schema.$ref === undefined ? undefined : nameIn(schema.$ref);
  const type = typeof whole.type === "string" ? whole.type : (whole.type ?? ["anything"]).join(" or ");
  return type === "object" && named !== undefined ? named : (whole.format ?? type);
}

function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: usual } = schema;
  return [
    between(minimum, maximum, ""),
    between(minLength, maxLength, " characters"),
    between(minItems, maxItems, " items"),
    usual === undefined ? "" : `${JSON.stringify(usual)} unless given`,
  ]
    .filter((text) => text !== "")
    .join(" · ");
}

/** Formats a range. Bounds beyond the safe integers are technical, not intended, so they are left out. */
function between(least: number | undefined, most: number | undefined, unit: string): string {
  const [from, to] = [least, most].map((bound) =>
    bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : grouped(bound),
  );
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
  if (to !== undefined) return `at most ${to}${unit}`;
  return from === undefined || from === "0" ? "" : `at least ${from}${unit}`;
}
