import { type ApiDocument, type ApiOperation, nameIn, type Parameter } from "./document.ts";

/** An operation where it stands in the document, with its parameters in full. */
export interface Listed {
  id: string;
  method: string;
  path: string;
  tag: string;
  operation: ApiOperation;
  parameters: readonly Parameter[];
}

/** All operations, in the document's order. */
export function operationsOf(document: ApiDocument): Listed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      tag: operation.tags[0] ?? "",
      operation,
      parameters: (operation.parameters ?? []).map((each) =>
        "$ref" in each ? (document.components.parameters[nameIn(each.$ref)] as Parameter) : each,
      ),
    })),
  );
}

/** What people may send by a form: one body of JSON, or none, to the API itself. */
export function canBeTried({ path, operation }: Listed): boolean {
  const types = Object.keys(operation.requestBody?.content ?? { "application/json": undefined });
  return path.startsWith("/api/v1/") && types.includes("application/json");
}

/** The body that stands in the page to begin with. */
export function exampleOf({ operation }: Listed): unknown {
  return operation.requestBody?.content["application/json"]?.example;
}
