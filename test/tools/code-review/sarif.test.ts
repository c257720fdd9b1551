import { expect, it } from "vitest";
import { RULE_IDS } from "../../../src/tools/code-review/finding.ts";
import { reviewAsSarif } from "../../../src/tools/code-review/sarif.ts";
import { added } from "./cases.ts";

it("reviewAsSarif() returns a log that conforms to SARIF 2.1.0", () => {
  const diff = added("src/a b/é#.ts", "eval(req.query.x);\nif (a == b) run();");
  const log = JSON.parse(JSON.stringify(reviewAsSarif({ diff })));
  expect(log.version).toBe("2.1.0");
  expect(log.$schema).toMatch(/^https:\/\/docs\.oasis-open\.org\/sarif\/.*sarif-schema-2\.1\.0\.json$/);
  const [run] = log.runs;
  // §3.19.2: a name that is not empty; §3.49.3: ids of rules, each once.
  expect(run.tool.driver.name).toBe("Toolplane");
  expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([...RULE_IDS]);
  for (const rule of run.tool.driver.rules) {
    expect(rule.shortDescription.text).not.toBe("");
    expect(rule.name).toMatch(/^[A-Z][A-Za-z]+$/);
    expect(["error", "warning", "note"]).toContain(rule.defaultConfiguration.level);
  }
  expect(run.columnKind).toBe("utf16CodeUnits");
  expect(run.results).toHaveLength(2);
  for (const result of run.results) {
    // §3.27.6: the index must agree with the id.
    expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(["error", "warning", "note"]).toContain(result.level);
    expect(result.message.text).not.toBe("");
    const { artifactLocation, region } = result.locations[0].physicalLocation;
    // §3.4.3: a URI reference of RFC 3986, relative to its base.
    expect(artifactLocation).toEqual({ uri: "src/a%20b/%C3%A9%23.ts", uriBaseId: "%SRCROOT%" });
    expect(region.startLine).toBeGreaterThan(0);
    expect(region.startColumn).toBeGreaterThan(0);
    expect(Object.values(result.partialFingerprints)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  }
  expect(run.results[0].locations[0].physicalLocation.region).toMatchObject({
    startLine: 1,
    snippet: { text: "eval(req.query.x);" },
  });
});

it("reviewAsSarif() names a file whose path holds half a character", () => {
  const log = JSON.parse(
    JSON.stringify(reviewAsSarif({ diff: added("src/a\ud83d.ts", "eval(req.query.x);") })),
  );
  const [{ physicalLocation }] = log.runs[0].results[0].locations;
  expect(physicalLocation.artifactLocation.uri).toBe("src/a%EF%BF%BD.ts");
});

it("reviewAsSarif() returns an empty list of results if there are no findings", () => {
  expect(reviewAsSarif({ diff: "" }).runs[0]?.results).toEqual([]);
});
