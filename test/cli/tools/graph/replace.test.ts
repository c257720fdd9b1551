import { describe, expect, it } from "vitest";
import { staleIn } from "../../../../src/cli/tools/graph/replace.ts";

const at = { createdAt: "", updatedAt: "", properties: {} };
const entity = (id: string, type: string) => ({ id, type, name: id, ...at });
const relationship = (from: string, type: string, to: string) => ({ from, type, to, ...at });

describe("staleIn()", () => {
  const graph = {
    entities: [
      entity("shop:a.ts", "file"),
      entity("shop:gone.ts", "file"),
      entity("shop:gone.ts#f", "function"),
      entity("shop:team", "note"),
      entity("shopping:a.ts", "file"),
      entity("npm:left", "package"),
      entity("npm:shared", "package"),
      entity("npm:alone", "package"),
    ],
    relationships: [
      relationship("shop:a.ts", "imports", "npm:left"),
      relationship("shop:a.ts", "imports", "npm:shared"),
      relationship("shopping:a.ts", "imports", "npm:shared"),
      relationship("shop:a.ts", "reviewed", "shop:team"),
      relationship("shop:gone.ts", "defines", "shop:gone.ts#f"),
    ],
  };

  it("returns what a scan no longer finds, but nothing of users or other repositories", () => {
    const content = { entities: [{ id: "shop:a.ts", type: "file", name: "a.ts" }], relationships: [] };
    expect(staleIn(graph, content, "shop:")).toEqual({
      entities: ["shop:gone.ts", "shop:gone.ts#f", "npm:left"],
      relationships: [{ from: "shop:a.ts", type: "imports", to: "npm:shared" }],
    });
  });

  it("returns nothing outside the scanned directory", () => {
    expect(staleIn(graph, { entities: [], relationships: [] }, "shop:web/")).toEqual({
      entities: [],
      relationships: [],
    });
  });
});
