import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = Record<string, unknown>;

/** An answer as it was sent over the wire. */
export interface Answered {
  method: string;
  path: string;
  status: number;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  /** Undefined if the body is not checked. */
  body: Buffer | undefined;
}

/** Returns the faults of an answer: what the document does not declare. Empty if the answer is as declared. */
export type DocumentCheck = (answered: Answered) => string[];

interface Operation {
  method: string;
  segments: string[];
  responses: Record<string, Json>;
}

const KEYWORDS_OF_SCHEMAS = new Set(["items", "additionalProperties", "not", "anyOf", "oneOf", "allOf"]);

/** Returns a check of answers against an OpenAPI 3.1 document. It uses Ajv, and none of the server's own code. */
export function createDocumentCheck(document: Json): DocumentCheck {
  // Few answers are checked with each schema, so what optimising its code costs is not won back.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "document", components: closed(document.components) });
  const operations = operationsOf(document);
  const validators = new Map<string, ValidateFunction>();

  function validator(key: string, schema: unknown): ValidateFunction {
    const known = validators.get(key);
    if (known) return known;
    const made = ajv.compile(closed(absolute(schema)) as Json);
    validators.set(key, made);
    return made;
  }

  function resolved<T>(value: unknown): T {
    const reference = (value as Json | undefined)?.$ref;
    if (typeof reference !== "string") return value as T;
    const path = reference.slice(2).split("/");
    return path.reduce<unknown>((at, name) => (at as Json)[name], document) as T;
  }

  /** Finds the operation of a path. Concrete paths are matched before templated ones (OpenAPI 3.1 §4.8.8.2). */
  function find(method: string, path: string): Operation | undefined {
    const given = path.split("/");
    const fitting = operations.filter(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((segment, index) =>
          isParameter(segment) ? given[index] !== "" : segment === given[index],
        ),
    );
    const parameters = ({ segments }: Operation) => segments.filter(isParameter).length;
    const fewest = Math.min(...fitting.map(parameters));
    return fitting.find((one) => one.method === method && parameters(one) === fewest);
  }

  return ({ method, path, status, headers, body }) => {
    const operation = find(method === "HEAD" ? "GET" : method, path);
    if (!operation) return [];
    const declared = resolved<Json | undefined>(operation.responses[status]);
    if (!declared) return ["the status is not declared"];
    return [
      ...headerFaults(declared, headers),
      ...(body === undefined
        ? []
        : bodyFaults(`${method} ${operation.segments.join("/")} ${status}`, declared, body)),
    ];

    function headerFaults({ headers: wanted = {} }: Json, given: Record<string, string>): string[] {
      return Object.entries(wanted as Json).flatMap(([name, reference]) => {
        const header = resolved<{ required?: boolean; schema: Json }>(reference);
        const value = given[name.toLowerCase()];
        if (value === undefined) return header.required ? [`the header ${name} is missing`] : [];
        if (header.schema.type === "integer" && !/^-?\d+$/.test(value)) return [`${name} is ${value}`];
        return [];
      });
    }

    function bodyFaults(key: string, { content }: Json, bytes: Buffer): string[] {
      const mediaType = (headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
      if (content === undefined)
        return bytes.length > 0 ? [`a body (${mediaType}) where none is declared`] : [];
      const found = (content as Record<string, { schema: Json }>)[mediaType];
      if (!found) return [`the media type "${mediaType}" is not declared`];
      const validate = validator(`${key} ${mediaType}`, found.schema);
      return valuesIn(mediaType, bytes.toString("utf8")).flatMap((value) =>
        validate(value)
          ? []
          : [
              ...new Set(
                (validate.errors ?? []).map(({ instancePath, message, params }) =>
                  `body${instancePath} ${message} ${JSON.stringify(params)}`.slice(0, 300),
                ),
              ),
            ].slice(0, 5),
      );
    }
  };
}

/** Returns the values that the schema describes: each event's data, the JSON value, or the text itself. */
function valuesIn(mediaType: string, text: string): unknown[] {
  if (mediaType === "text/event-stream") {
    return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data as string));
  }
  return [/json$/.test(mediaType) ? JSON.parse(text) : text];
}

function operationsOf({ paths }: Json): Operation[] {
  return Object.entries(paths as Record<string, Json>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      segments: path.split("/"),
      responses: (operation as { responses: Record<string, Json> }).responses,
    })),
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

function absolute(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
}

/** Closes a schema's objects, so that a member that is not declared is a fault. Clients would tolerate it. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const { properties } = schema as Json;
  const members = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    keyword === "properties" || !KEYWORDS_OF_SCHEMAS.has(keyword)
      ? closedWithin(keyword, value)
      : closed(value),
  ]);
  const isOpen = properties === undefined || "additionalProperties" in schema;
  return { ...Object.fromEntries(members), ...(isOpen ? {} : { additionalProperties: false }) };
}

function closedWithin(keyword: string, value: unknown): unknown {
  if (!["properties", "schemas", "components"].includes(keyword)) return value;
  return Object.fromEntries(Object.entries(value as Json).map(([name, member]) => [name, closed(member)]));
}
