import { expect, it } from "vitest";
import bundled from "../../src/metering/catalogue.json" with { type: "json" };
import { parseCatalogue } from "../../src/metering/plans.ts";
import { checkLimitNames } from "../../src/server/operations/check-limit-names.ts";

const named = ["usage.track", "auth.token", "auth.token", "mcp"].map((name) => ({ name }));

function refusalOf(limited: string): string {
  const limit = { requests: 1, windowSeconds: 60 };
  const catalogue = { ...parseCatalogue(bundled), endpoints: { [limited]: limit } };
  try {
    checkLimitNames(catalogue, named);
  } catch (error) {
    return (error as Error).message;
  }
  return "taken";
}

it("refuses a limit of an endpoint that there is not, and names the nearest", () => {
  expect(refusalOf("usage.track")).toBe("taken");
  expect(refusalOf("usage.trak")).toBe(
    'The plans file limits "usage.trak", which is no endpoint. Did you mean usage.track?',
  );
});

it("names each endpoint once where none is near", () => {
  expect(refusalOf("builds")).toBe(
    'The plans file limits "builds", which is no endpoint. There are: auth.token, mcp, usage.track.',
  );
});
