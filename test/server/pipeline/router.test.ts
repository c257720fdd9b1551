import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRouter } from "../../../src/server/pipeline/router.ts";

function example() {
  const router = createRouter<string>();
  router.add("GET", "/keys", "list");
  router.add("POST", "/keys", "make");
  router.add("DELETE", "/keys/{keyId}", "revoke");
  router.add("GET", "/keys/special", "special");
  router.add("POST", "/keys/{keyId}/renew", "renew");
  return router;
}

describe("the router", () => {
  it("finds fixed paths by method", () => {
    expect(example().find("GET", "/keys").route).toBe("list");
    expect(example().find("POST", "/keys").route).toBe("make");
  });

  it("reads path parameters, decoded", () => {
    expect(example().find("DELETE", "/keys/a%2Fb%20c")).toMatchObject({
      route: "revoke",
      template: "/keys/{keyId}",
      parameters: { keyId: "a/b c" },
    });
  });

  it("lists the allowed methods of a path that lacks the requested one", () => {
    expect(example().find("PUT", "/keys")).toEqual({ parameters: {}, allow: ["GET", "POST"] });
    expect(example().find("GET", "/keys/abc").allow).toEqual(["DELETE"]);
  });

  it("prefers a fixed segment, and backtracks to a parameter", () => {
    expect(example().find("GET", "/keys/special").route).toBe("special");
    expect(example().find("POST", "/keys/special/renew")).toMatchObject({
      route: "renew",
      parameters: { keyId: "special" },
    });
  });

  it("finds nothing for unknown paths, empty segments and broken escapes", () => {
    for (const path of ["", "/", "/nope", "/keys/", "/keys//renew", "/keys/%zz", "/keys/a/b/c"]) {
      expect(example().find("GET", path)).toEqual({ parameters: {} });
    }
  });

  it("refuses two parameter names in one place", () => {
    expect(() => example().add("GET", "/keys/{id}", "other")).toThrow("{keyId}");
  });

  it("returns any encoded parameter unchanged", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (value) => {
        const found = example().find("DELETE", `/keys/${encodeURIComponent(value)}`);
        expect(found.parameters.keyId).toBe(value);
      }),
    );
  });

  it("is not confused by __proto__ and constructor", () => {
    expect(example().find("GET", "/keys/__proto__/constructor")).toEqual({ parameters: {} });
  });
});
