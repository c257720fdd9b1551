import { type ApiDocument, type ApiOperation, nameIn, type Parameter } from "./document.ts";

/** An operation with its place in the document and its parameters resolved. */
export interface Listed {
  id: string;
  method: string;
  path: string;
  tag: string;
  operation: ApiOperation;
  parameters: readonly Parameter[];
}

/** Returns all operations, in the document's order. */
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

/** Whether people may send an operation by a form: it is of the API itself and takes a JSON body or none. */
export function canBeTried({ path, operation }: Listed): boolean {
  const types = Object.keys(operation.requestBody?.content ?? { "application/json": undefined });
  return path.startsWith("/api/v1/") && types.includes("application/json");
}

/** Returns the initial body of the form. */
export function exampleOf({ operation }: Listed): unknown {
  return operation.requestBody?.content["application/json"]?.example;
}
