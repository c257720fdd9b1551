import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/api.ts";
import { mostBytesOf } from "../../src/server/operations/api-route.ts";

const bodied = endpoints.filter(({ method }) => method !== "GET" && method !== "DELETE");

describe("the body limit", () => {
  it("is 64 KiB for endpoints of the control lane", () => {
    const control = bodied.filter(({ lane }) => lane === "control");
    expect(control.length).toBeGreaterThan(5);
    expect(new Set(control.map(mostBytesOf))).toEqual(new Set([64 * 1024]));
  });

  it("is at most 8 MiB for endpoints whose bodies the server itself parses", () => {
    for (const each of bodied.filter(({ compute }) => !compute)) {
      expect(mostBytesOf(each), each.name).toBeLessThanOrEqual(8 << 20);
    }
  });
});
