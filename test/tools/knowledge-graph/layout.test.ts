import { describe, expect, it } from "vitest";
import { openGraph } from "./graph.ts";

/** Returns two rings of `size`, joined by one relationship. */
function rings(size: number) {
  const ids = ["a", "b"].map((ring) => Array.from({ length: size }, (_, index) => `${ring}${index}`));
  const entities = ids.flat().map((id) => ({ id, type: id[0] as string, name: `Name of ${id}` }));
  const around = ids.flatMap((ring) =>
    ring.flatMap((from, index) =>
      [1, 2].map((step) => ({ from, to: ring[(index + step) % size] as string, type: "next" })),
    ),
  );
  return { entities, relationships: [...around, { from: "a0", to: "b0", type: "tie" }] };
}

async function openRings(size = 20) {
  const graph = await openGraph();
  const body = rings(size);
  await graph.send("POST", "/import", { body });
  const layout = async (query = "") => {
    const { status, body, text } = await graph.send("GET", `/layout?${query}`);
    expect(status, text).toBe(200);
    return body;
  };
  return { ...graph, layout };
}

describe("GET /knowledge-graph/layout", () => {
  it("counts the 50 most frequent types, with ties ordered by name", async () => {
    const { send, layout } = await openRings();
    const rare = Array.from({ length: 51 }, (_, number) => `t${String(number).padStart(2, "0")}`);
    const entities = rare.map((type) => ({ type, name: type }));
    await send("POST", "/import", { body: { entities } });
    const { types } = await layout();
    expect(types.map(({ type }: { type: string }) => type)).toEqual(["a", "b", ...rare.slice(0, 48)]);
  });

  it("places related entities near each other, within the bounds", async () => {
    const { layout } = await openRings();
    const { nodes, edges, communities, width, height, counts, types } = await layout();
    expect(counts).toEqual({ entities: 40, relationships: 81 });
    expect(edges).toHaveLength(81);
    expect(communities.length).toBeGreaterThanOrEqual(2);
    expect(types).toEqual([
      { type: "a", count: 20 },
      { type: "b", count: 20 },
    ]);
    expect(Math.max(width, height)).toBe(1000);
    for (const { x, y } of nodes) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(height);
    }
    const length = (from: number, to: number) =>
      Math.hypot(nodes[from].x - nodes[to].x, nodes[from].y - nodes[to].y);
    const mean = (lengths: number[]) => lengths.reduce((sum, each) => sum + each, 0) / lengths.length;
    const related = mean(edges.map(({ from, to }: { from: number; to: number }) => length(from, to)));
    const all = mean(nodes.flatMap((_: unknown, from: number) => [length(from, (from * 7 + 3) % 40)]));
    expect(related).toBeLessThan(all / 2);
  });

  it("returns the entities with most relationships first, and only relationships between them", async () => {
    const { layout } = await openRings();
    const { nodes, edges } = await layout("limit=2");
    expect(nodes.map(({ id }: { id: string }) => id)).toEqual(["a0", "b0"]);
    expect(edges).toEqual([{ from: 0, to: 1, type: "tie" }]);
  });

  it("returns only a given type, community or neighbourhood, and 404 for unknown entities", async () => {
    const { layout, send } = await openRings();
    const idsOf = ({ nodes }: { nodes: { id: string }[] }) => nodes.map(({ id }) => id).sort();
    expect(idsOf(await layout("type=a"))).toHaveLength(20);
    expect(idsOf(await layout("type=none"))).toEqual([]);
    expect(idsOf(await layout("entityId=a10"))).toEqual(["a10", "a11", "a12", "a8", "a9"]);
    expect(idsOf(await layout("entityId=a10&depth=2"))).toHaveLength(9);
    const community = await layout("community=a5");
    expect(idsOf(community)).toContain("a5");
    expect(idsOf(community).every((id) => id.startsWith("a"))).toBe(true);
    expect(idsOf(await layout("community=b5"))).toContain("b5");
    expect((await send("GET", "/layout?entityId=none")).status).toBe(404);
    expect((await send("GET", "/layout?community=none")).status).toBe(404);
  });

  it("stays similar after a small change, and includes the new entity", async () => {
    const { layout, entities } = await openRings();
    await layout();
    const before = await layout();
    await entities("new");
    const after = await layout();
    expect(after.counts.entities).toBe(41);
    expect(after.nodes).toHaveLength(41);
    expect(after.nodes.find(({ id }: { id: string }) => id === "new").community).toBe(-1);
    const sideOf = (drawing: typeof before, id: string) =>
      drawing.nodes.find((node: { id: string }) => node.id === id).x > drawing.width / 2;
    const turned = before.nodes.filter(({ id }: { id: string }) => sideOf(before, id) !== sideOf(after, id));
    expect(turned.length).toBeLessThan(12);
  });

  it("returns an empty layout for an empty graph", async () => {
    const { send } = await openGraph();
    expect((await send("GET", "/layout")).body).toMatchObject({ nodes: [], edges: [], communities: [] });
  });
});
