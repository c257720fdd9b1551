/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  tags: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Parameter>>;
    responses: Readonly<Record<string, Response>>;
  };
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  "x-scope"?: string;
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Content };
  responses: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema | Reference;
}

export interface Response {
  description: string;
  content?: Content;
}

export type Content = Readonly<
  Record<string, { schema?: Schema | Reference; example?: unknown } | undefined>
>;

export interface Reference {
  $ref: string;
}

/** The keywords of JSON Schema 2020-12 that the reference shows. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export function responseIn(document: ApiDocument, response: Response | Reference): Response {
  return "$ref" in response ? (document.components.responses[nameIn(response.$ref)] as Response) : response;
}

export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
