import { describe, expect, it } from "vitest";
import { targetOf } from "../../src/client/routes.ts";

const problem = (detail: string) => expect.objectContaining({ error: "invalid_request", detail });

describe("targetOf()", () => {
  it("puts parameters in braces into the path, and the rest into the body", () => {
    expect(targetOf("PUT /a/{one}/b/{two}", { one: "é/?", two: 7, name: "x", none: undefined })).toEqual({
      method: "PUT",
      path: "/a/%C3%A9%2F%3F/b/7",
      body: { name: "x" },
    });
    expect(targetOf("POST /a", {})).toEqual({ method: "POST", path: "/a", body: {} });
  });

  it("puts the rest into the query for GET and DELETE", () => {
    for (const method of ["GET", "DELETE"]) {
      const input = { id: "a", limit: 5, kind: ["x", "y z"], exact: false, none: undefined };
      expect(targetOf(`${method} /a/{id}`, input)).toEqual({
        method,
        path: "/a/a?limit=5&kind=x&kind=y+z&exact=false",
      });
      expect(targetOf(`${method} /a/{id}`, { id: "a" })).toEqual({ method, path: "/a/a" });
    }
  });

  it('refuses a path parameter that is missing, "." or ".."', () => {
    for (const id of [undefined, ""]) {
      expect(() => targetOf("GET /a/{id}", { id })).toThrow(problem("id is needed."));
    }
    for (const id of [".", ".."]) {
      expect(() => targetOf("GET /a/{id}/b", { id })).toThrow(problem(`"${id}" cannot stand in a path.`));
    }
    expect(targetOf("GET /a/{id}", { id: "..." }).path).toBe("/a/...");
  });
});
