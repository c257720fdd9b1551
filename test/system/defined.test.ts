import fc from "fast-check";
import { expect, it } from "vitest";
import { defined } from "../../src/system/defined.ts";

it("defined() removes only members that are undefined", () => {
  const value = fc.oneof(fc.constant(undefined), fc.anything());
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (fields) => {
      const kept = defined(fields);
      expect(Object.keys(kept)).toEqual(Object.keys(fields).filter((name) => fields[name] !== undefined));
      for (const name of Object.keys(kept)) expect(Object.is(kept[name], fields[name])).toBe(true);
    }),
  );
});
