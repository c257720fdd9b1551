import { describe, expect, it } from "vitest";
import { nearNames } from "../../src/contract/near-names.ts";

describe("nearNames()", () => {
  it("returns the only name that differs in case or punctuation, or else those with few other letters", () => {
    expect(nearNames("knowledgeGraphSearch", ["knowledge-graph.search", "knowledge-graph.show"])).toEqual([
      "knowledge-graph.search",
    ]);
    expect(nearNames("projcet", ["product", "project", "telemetry"])).toEqual(["project"]);
  });

  it("compares the letters of every script", () => {
    const names = ["日本", "магазин", "größe"];
    expect(nearNames("магазн", names)).toEqual(["магазин"]);
    expect(nearNames("Größe", names)).toEqual(["größe"]);
    expect(nearNames("中国", names)).toEqual([]);
  });

  it("is near to nothing without a letter or digit", () => {
    expect(nearNames("--", ["a", "日本", "!"])).toEqual([]);
  });
});
