import { createElement, type ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { htmlOf } from "../../src/web/layout.tsx";

describe("htmlOf()", () => {
  it.each(["\u202a", "\u202e", "\u2066", "\u2069"])(
    "shows %j, which would reverse the rest of its line, in text and in attributes",
    (character) => {
      const html = htmlOf(createElement("p", { title: `${character}b` }, `said by a${character}b · 0.35`));
      expect(html).toBe('<!doctype html><p title="\ufffdb">said by a\ufffdb · 0.35</p>');
    },
  );

  it("changes no text that browsers send back", () => {
    const form: ReactElement = createElement(
      "form",
      {},
      createElement("input", { name: "a", defaultValue: "a\u202eb" }),
      createElement("textarea", { name: "b", defaultValue: "<\u202e>\n\u202e" }),
      createElement("option", { value: "\u202ec" }, "\u202ec"),
    );
    expect(htmlOf(form)).toBe(
      '<!doctype html><form><input name="a" value="a\u202eb"/><textarea name="b">&lt;\u202e&gt;\n\u202e</textarea>' +
        '<option value="\u202ec">\ufffdc</option></form>',
    );
  });
});
