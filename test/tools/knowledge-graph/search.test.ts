import { describe, expect, it } from "vitest";
import { openGraph, type TestGraph } from "./graph.ts";

interface Sample {
  name: string;
  type?: string;
  properties?: Record<string, unknown>;
}

/** Opens a graph with entities whose ids are their names. */
async function holding(...samples: Sample[]): Promise<TestGraph> {
  const graph = await openGraph();
  const entities = samples.map((sample) => ({ id: sample.name, type: "node", ...sample }));
  const response = await graph.send("POST", "/import", { body: { entities } });
  expect(response.status, response.text).toBe(200);
  return graph;
}

describe("GET /knowledge-graph/search", () => {
  it("finds words of the name, the type and nested properties", async () => {
    const { found, search } = await holding(
      {
        name: "Billing service",
        type: "service",
        properties: { owner: { team: ["payments", "finance"] }, port: 8443 },
      },
      { name: "Gateway", type: "proxy" },
    );
    for (const q of ["billing", "SERVICE", "finance", "8443"])
      expect(await found(q)).toEqual(["Billing service"]);
    expect(await found("proxy")).toEqual(["Gateway"]);
    const [hit] = await search("gateway billing", "limit=1");
    expect(hit).toMatchObject({
      entity: { name: "Gateway", type: "proxy", properties: {} },
      matched: ["gateway"],
    });
    expect(hit?.score).toBeGreaterThan(0);
  });

  it("matches any word, and ranks entities higher for more matches and for matches in the name", async () => {
    const { found } = await holding(
      { name: "order history", properties: { text: "what a user bought" } },
      { name: "user", properties: { text: "who signs in" } },
      { name: "user history", properties: { text: "what happened" } },
      { name: "invoice", properties: { text: "for what was bought" } },
    );
    expect(await found("user history")).toEqual(["user history", "order history", "user"]);
    expect((await found("user"))[2]).toBe("order history");
  });

  it("matches prefixes, and ranks the whole word first, then shorter completions, then typos", async () => {
    const { found } = await holding(
      { name: "authentication" },
      { name: "auth" },
      { name: "author" },
      { name: "math" },
      { name: "uath" },
    );
    expect(await found("auth")).toEqual(["auth", "author", "authentication", "uath"]);
    expect(await found("authen")).toEqual(["authentication"]);
  });

  it.each(["pyament", "paymnt", "paymennt", "paymemt", "ayment", "xpayment", "paymentx"])(
    "tolerates the typo in %s",
    async (q) => {
      const { search } = await holding({ name: "payment" }, { name: "unrelated" });
      expect(await search(q)).toMatchObject([{ entity: { name: "payment" }, matched: ["payment"] }]);
    },
  );

  it("tolerates no second typo, and none in a two-letter word or a number", async () => {
    const { found } = await holding({ name: "payment" }, { name: "db" }, { name: "8443" });
    expect(await found("pyamemt")).toEqual([]);
    expect(await found("dc")).toEqual([]);
    expect(await found("8442")).toEqual([]);
  });

  it("finds the parts of identifiers and file paths", async () => {
    const { found } = await holding(
      { name: "getUserById" },
      { name: "HTTPServer" },
      { name: "src/store/open_store.ts" },
    );
    for (const q of ["user", "getuserbyid", "getUserById"]) expect((await found(q))[0]).toBe("getUserById");
    expect(await found("server")).toEqual(["HTTPServer"]);
    expect(await found("open store")).toEqual(["src/store/open_store.ts"]);
  });

  it("finds words of other scripts, and ignores accents", async () => {
    const { found } = await holding(
      { name: "Café" },
      { name: "東京都庁" },
      { name: "Привет" },
      { name: "Straße" },
    );
    expect(await found("cafe")).toEqual(["Café"]);
    expect(await found("京都")).toEqual(["東京都庁"]);
    expect(await found("都")).toEqual(["東京都庁"]);
    expect(await found("превет")).toEqual(["Привет"]);
    expect(await found("STRAßE")).toEqual(["Straße"]);
  });

  it("returns only the given type, and at most as many hits as the limit", async () => {
    const graph = await holding(
      ...Array.from({ length: 60 }, (_, index) => ({
        name: `thing ${index}`,
        type: index % 2 ? "odd" : "even",
      })),
    );
    expect(await graph.search("thing")).toHaveLength(50);
    expect(await graph.search("thing", "limit=200")).toHaveLength(60);
    expect(await graph.search("thing", "limit=3")).toHaveLength(3);
    const odd = await graph.search("thing", "type=odd&limit=200");
    expect(odd).toHaveLength(30);
    expect(odd.every(({ entity }) => entity.type === "odd")).toBe(true);
    expect(await graph.search("thing", "type=neither")).toEqual([]);
  });

  it("orders hits with equal scores by id", async () => {
    const { found } = await holding(
      ...["c", "a", "d", "b"].map((name) => ({ name, properties: { tag: "same" } })),
    );
    expect(await found("same")).toEqual(["a", "b", "c", "d"]);
    expect(await found("same", "limit=2")).toEqual(["a", "b"]);
  });

  it("reflects every change immediately", async () => {
    const { found, send } = await holding({ name: "alpha" });
    await send("POST", "/entity", { body: { id: "alpha", type: "node", name: "omega" } });
    expect([await found("alpha"), await found("omega")]).toEqual([[], ["alpha"]]);
    await send("DELETE", "/entity/alpha");
    expect(await found("omega")).toEqual([]);
    await send("POST", "/entity", { body: { id: "new", type: "node", name: "omega" } });
    expect(await found("omega")).toEqual(["new"]);
  });

  it("finds nothing without words, and refuses a query that is missing, empty or too long", async () => {
    const { found, send } = await holding({ name: "alpha" });
    expect(await found(" !? ")).toEqual([]);
    for (const query of ["", "?q=", `?q=${"x".repeat(1001)}`, "?q=a&limit=0", "?q=a&limit=201", "?q=a&q=b"]) {
      expect((await send("GET", `/search${query}`)).status, query).toBe(400);
    }
  });
});
