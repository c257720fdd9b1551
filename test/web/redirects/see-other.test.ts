import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seeOther } from "../../../src/web/page.ts";

const HERE = "https://plane.test";
const locationOf = (location: string) => seeOther(location).headers.Location ?? "";

describe("seeOther()", () => {
  it("leads to the same URL, by a header that holds visible ASCII alone", () => {
    const path = fc.string({ unit: "binary" }).map((text) => `/${text}`);
    fc.assert(
      fc.property(path, (location) => {
        const sent = locationOf(location);
        expect(sent).toMatch(/^[\x21-\x7e]*$/);
        // Of white space and control characters, browsers take some out of a URL; here they are kept.
        if (/[\0-\x20\x7f]|\\/.test(location) || !URL.canParse(location, HERE)) return;
        expect(new URL(sent, HERE).href).toBe(new URL(location, HERE).href);
      }),
    );
  });

  it("keeps what is encoded already, and the redirect URI of an application as it is", () => {
    for (const location of [
      "/docs?query=caf%C3%A9",
      "http://[::1]:8000/callback?code=1&state=%",
      "acme://done",
    ])
      expect(locationOf(location)).toBe(location);
    expect(locationOf("https://acme.example/rück kehr")).toBe("https://acme.example/r%C3%BCck%20kehr");
  });
});
