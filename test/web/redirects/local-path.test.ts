import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localPath } from "../../../src/web/local-path.ts";
import { codePoint } from "../../support/code-point.ts";
import { runs } from "../../support/runs.ts";

const HERE = "https://tool.example";

describe("localPath()", () => {
  it.each([
    "/",
    "/device",
    "/device?user_code=BCDF-GHJK",
    "/usage?project=a%2Fb&days=30#numbers",
    "/%2F/evil.example",
  ])("keeps %s", (path) => {
    expect(localPath(path)).toBe(path);
  });

  it.each([
    undefined,
    null,
    "",
    ["/device", "/usage"],
    "device",
    "https://evil.example/",
    "HTTPS:evil.example",
    "javascript:alert(1)",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " //evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "/%2e//evil.example",
    "//",
    "//[",
    "//user:password@evil.example",
    `/device?user_code=${"a".repeat(1_100)}`,
    `/${"é".repeat(400)}`,
  ])("replaces %j by the start page", (path) => {
    expect(localPath(path)).toBe("/");
  });

  it("never returns a path that leads to another server", () => {
    const pieces = ["/", "\\", ".", "%2f", "%5c", "%2e", "\t", "\r", "@", ":", "?", "#", "evil", " "];
    const tricky = fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(tricky, fc.string({ unit: codePoint }), fc.webUrl()), (text) => {
        for (const next of [text, `/${text}`]) {
          const path = localPath(next);
          expect(path).toMatch(/^\/(?![/\\])/);
          expect(new URL(path, HERE).origin).toBe(HERE);
          // Idempotent: a normalised path stays as it is.
          expect(localPath(path)).toBe(path);
        }
      }),
      { numRuns: runs(400) },
    );
  });
});
