import { describe, expect, it } from "vitest";
import { type Answered, createDocumentCheck } from "./document-check.ts";

const ITEM = { type: "object", required: ["id"], properties: { id: { type: "string" } } };

const check = createDocumentCheck({
  paths: {
    "/items/{id}": {
      get: {
        responses: {
          200: {
            headers: { "X-Count": { $ref: "#/components/headers/X-Count" } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Item" } } },
          },
          304: {},
          404: { $ref: "#/components/responses/Missing" },
        },
      },
    },
    "/items/latest": { post: { responses: { 204: {} } } },
    "/events": {
      get: { responses: { 200: { content: { "text/event-stream": { schema: ITEM } } } } },
    },
  },
  components: {
    headers: { "X-Count": { required: true, schema: { type: "integer" } } },
    responses: { Missing: { content: { "application/problem+json": { schema: { type: "object" } } } } },
    schemas: { Item: ITEM },
  },
});

const RIGHT: Answered = {
  method: "GET",
  path: "/items/1",
  status: 200,
  headers: { "content-type": "application/json; charset=utf-8", "x-count": "1" },
  body: Buffer.from('{"id":"1"}'),
};

function faults(change: Partial<Answered>): string {
  return check({ ...RIGHT, ...change }).join("\n");
}

describe("createDocumentCheck()", () => {
  it("accepts answers as declared, and answers of undeclared paths", () => {
    expect(faults({})).toBe("");
    expect(faults({ status: 304, body: Buffer.alloc(0), headers: {} })).toBe("");
    expect(faults({ path: "/elsewhere" })).toBe("");
    // A path without parameters does not inherit methods of a template that also matches.
    expect(faults({ path: "/items/latest", status: 405 })).toBe("");
    expect(faults({ path: "/items/", status: 404 })).toBe("");
  });

  it.each<[string, Partial<Answered>, RegExp]>([
    ["a status", { status: 409 }, /status is not declared/],
    [
      "a media type",
      { headers: { ...RIGHT.headers, "content-type": "text/html" } },
      /"text\/html" is not declared/,
    ],
    ["the media type of another status", { status: 404 }, /"application\/json" is not declared/],
    ["a member that is missing", { body: Buffer.from("{}") }, /required property 'id'/],
    [
      "a member that nobody declared",
      { body: Buffer.from('{"id":"1","more":2}') },
      /additional properties.*more/,
    ],
    ["a value of another type", { body: Buffer.from('{"id":1}') }, /body\/id must be string/],
    ["a header that is missing", { headers: { "content-type": "application/json" } }, /X-Count is missing/],
    ["a header of another type", { headers: { ...RIGHT.headers, "x-count": "many" } }, /X-Count is many/],
    ["a body where none is declared", { status: 304 }, /where none is declared/],
    [
      "an answer to HEAD as to GET",
      { method: "HEAD", status: 500, body: undefined },
      /status is not declared/,
    ],
    [
      "one event of a stream",
      {
        path: "/events",
        headers: { "content-type": "text/event-stream" },
        body: Buffer.from('id: 1\ndata: {"id":"1"}\n\ndata: {"id":2}\n\n'),
      },
      /body\/id must be string/,
    ],
  ])("reports %s", (_, change, fault) => {
    expect(faults(change)).toMatch(fault);
  });
});
