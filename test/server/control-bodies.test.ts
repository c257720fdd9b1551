import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/api.ts";
import { mostBytesOf } from "../../src/server/operations/api-route.ts";

const bodied = endpoints.filter(({ method }) => method !== "GET" && method !== "DELETE");

describe("the longest bodies", () => {
  it("are short where an account is administered, so that nobody waits for what does not fit there", () => {
    const control = bodied.filter(({ lane }) => lane === "control");
    expect(control.length).toBeGreaterThan(5);
    expect(new Set(control.map(mostBytesOf))).toEqual(new Set([64 * 1024]));
  });

  it("are 8 MiB at most where the server itself parses them", () => {
    for (const each of bodied.filter(({ compute }) => !compute)) {
      expect(mostBytesOf(each), each.name).toBeLessThanOrEqual(8 << 20);
    }
  });
});
