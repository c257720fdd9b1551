import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { partsOf } from "../../../../src/cli/tools/graph/parts.ts";
import { OWNER_KEY } from "../../../support/app.ts";
import { ownerOf, startOwner } from "../../support/owner.ts";
import { user } from "../../support/tool.ts";

describe("tool graph", () => {
  it("adds and links entities, then finds and follows them", async () => {
    const { tool } = await startOwner();
    const added = await tool(
      "graph",
      "add",
      "Billing API",
      "--type",
      "service",
      "--id",
      "billing",
      "--property",
      "port=8443",
    );
    expect([added.code, added.stdout]).toEqual([0, "✔ service billing added\n"]);
    for (const name of ["web", "disk"]) await tool("graph", "add", name, "--type", "node", "--id", name);
    expect((await tool("graph", "link", "web", "calls", "billing")).stdout).toBe(
      "✔ web ─calls→ billing added\n",
    );
    expect((await tool("graph", "link", "billing", "uses", "disk", "--weight", "2")).code).toBe(0);
    expect((await tool("graph", "link", "billing", "uses", "disk")).stdout).toContain("replaced");

    const found = await tool("graph", "search", "biling", "8443");
    expect(found.stdout).toMatch(/^Id +Name +Type +Matched\nbilling +Billing API +service +billing 8443\n$/);
    const impact = await tool("graph", "impact", "web", "--json");
    expect(impact.json.entities.map(({ id }: { id: string }) => id)).toEqual(["billing", "disk"]);
    const reached = await tool("graph", "impact", "web");
    expect(reached.stdout).toContain("2 entities within 2 hops of web");
    expect(reached.stdout).toMatch(/^ +2 +disk +web ─calls→ billing ─uses→ disk$/m);
    expect((await tool("graph", "path", "disk", "web")).stdout).toBe("disk ←uses─ billing ←calls─ web\n");
    const none = await tool("graph", "path", "disk", "web", "--direction", "out");
    expect([none.code, none.stdout]).toEqual([3, "No path leads from disk to web.\n"]);
    const nothing = await tool("graph", "search", "nothing");
    expect([nothing.code, nothing.stdout]).toEqual([3, "Nothing matches.\n"]);
  });

  it("reports an unknown entity, a missing type, and a wrong direction or depth", async () => {
    const { tool } = await startOwner();
    const unknown = await tool("graph", "impact", "nobody");
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('There is no entity "nobody"'),
    ]);
    const dangling = await tool("graph", "link", "a", "calls", "b");
    expect([dangling.code, dangling.stderr]).toEqual([1, expect.stringContaining('there is no entity "a"')]);
    expect((await tool("graph", "add", "x")).code).toBe(2);
    expect((await tool("graph", "path", "a", "b", "--direction", "up")).code).toBe(2);
    expect((await tool("graph", "impact", "a", "--depth", "21")).code).toBe(2);
  });

  it("shows, exports and imports a graph, and names the place of a fault in a file", async () => {
    const { tool, home, piped } = await startOwner();
    expect((await tool("graph", "show")).stdout).toBe("The graph is empty. Fill it with: tool graph scan\n");
    const graph = {
      entities: [
        { id: "a", type: "node", name: "A", properties: { x: 1 } },
        { id: "b", type: "node", name: "B" },
      ],
      relationships: [{ from: "a", to: "b", type: "calls", weight: 2 }],
    };
    writeFileSync(join(home, "graph.json"), JSON.stringify(graph));
    const imported = await tool("graph", "import", "graph.json");
    expect(imported.stdout).toBe("✔ 2 entities added, 0 replaced\n✔ 1 relationship added, 0 replaced\n");
    expect((await tool("graph", "show")).stdout).toMatch(/^2 entities, 1 relationship, changed /);

    const shown = await tool("graph", "show", "--format", "json");
    expect(
      (await piped(shown.stdout, "graph", "import", "-", "--project", "copy", "--create-project", "--json"))
        .json,
    ).toEqual({
      entities: { created: 2, updated: 0 },
      relationships: { created: 1, updated: 0 },
    });
    const copy = await tool("graph", "show", "--project", "copy", "--json");
    expect(copy.json.entities[0]).toMatchObject(graph.entities[0] as object);
    expect(copy.json.relationships[0]).toMatchObject(graph.relationships[0] as object);
    expect((await tool("graph", "show", "--format", "dot")).stdout).toMatch(/^digraph \{\n[\s\S]*\n\}\n$/);
    for (const text of ["{", '{ "entities": 1 }']) {
      writeFileSync(join(home, "broken.json"), text);
      expect((await tool("graph", "import", "broken.json")).code).toBe(2);
    }
    expect((await tool("graph", "import", "none.json")).code).toBe(1);
    writeFileSync(
      join(home, "faulty.json"),
      JSON.stringify({ entities: [...graph.entities, { id: "c", type: "node" }] }),
    );
    expect((await tool("graph", "import", "faulty.json")).stderr).toContain("entities.2.name");
    writeFileSync(
      join(home, "dangling.json"),
      JSON.stringify({ relationships: [...graph.relationships, { from: "a", to: "gone", type: "calls" }] }),
    );
    expect((await tool("graph", "import", "dangling.json")).stderr).toContain("relationships.1.to");
  });

  it("says how much of a graph is stored if the server goes away while it is imported", async () => {
    let calls = 0;
    const server = createServer((request, response) => {
      const isFirst = request.method !== "POST" || calls++ === 0;
      if (!isFirst) return void response.destroy();
      const entities = { created: 2, updated: 0 };
      response.writeHead(200, { "Content-Type": "application/json", "X-Request-Id": "req_1" });
      request.resume().on("end", () => {
        response.end(JSON.stringify({ entities, relationships: { created: 0, updated: 0 }, items: [] }));
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { tool, home } = user({ TOOL_BASE_URL: `http://127.0.0.1:${port}`, TOOL_TOKEN: OWNER_KEY });
    const entities = ["a", "b"].map((id) => ({ id, type: "node", name: id }));
    const relationships = [{ from: "a", to: "b", type: "calls" }];
    writeFileSync(join(home, "graph.json"), JSON.stringify({ entities, relationships }));
    const { code, stderr } = await tool("graph", "import", "graph.json");
    expect(code).toBe(6);
    expect(stderr).toContain("2 of 3 entities and relationships are stored, perhaps more");
  });

  it("scans a repository, and only prints the result with --dry-run", async () => {
    const { tool, home } = await startOwner();
    mkdirSync(join(home, "repository"));
    writeFileSync(join(home, "repository/a.ts"), 'import "./b.ts"; import "./gone.ts"; import "zod"');
    writeFileSync(join(home, "repository/b.ts"), "export function f() {}");
    const dry = await tool("graph", "scan", "repository", "--dry-run");
    expect(dry.json.relationships).toHaveLength(3);
    expect((await tool("graph", "show")).stdout).toContain("The graph is empty");
    const scanned = await tool("graph", "scan", "repository");
    expect(scanned.stdout).toContain("✔ repository: 2 files, 1 definition, 2 imports\n");
    expect(scanned.stdout).toContain("✔ 4 entities added, 0 replaced\n✔ 3 relationships added, 0 replaced\n");
    expect(scanned.stdout).toContain("1 import of files that are not there");
    const impact = await tool("graph", "impact", "repository:b.ts", "--json");
    expect(impact.json.counts).toEqual({ 1: 2, 2: 1 });
    mkdirSync(join(home, "empty"));
    expect((await tool("graph", "scan", "empty")).code).toBe(2);
    expect((await tool("graph", "scan", "nowhere")).code).toBe(2);
  });

  it("replaces the previous scan of a repository, and keeps all other entities", async () => {
    const { tool, home } = await startOwner();
    const write = (path: string, text: string) => {
      mkdirSync(join(home, path, ".."), { recursive: true });
      writeFileSync(join(home, path), text);
    };
    write("one/a.ts", 'import "./b.ts"; import "zod"; import "pino"');
    write("one/b.ts", "");
    write("two/a.ts", 'import "pino"');
    await tool("graph", "scan", "one");
    await tool("graph", "scan", "two");
    await tool("graph", "add", "Shop", "--type", "service", "--id", "shop");
    await tool("graph", "link", "shop", "runs", "one:a.ts");
    write("one/a.ts", "");
    rmSync(join(home, "one/b.ts"));
    const again = await tool("graph", "scan", "one");
    expect(again.stdout).toContain("✔ 2 entities and 1 relationship of it removed\n");
    const { json } = await tool("graph", "show", "--recorded", "--json");
    expect(json.entities.map(({ id }: { id: string }) => id)).toEqual([
      "npm:pino",
      "one:a.ts",
      "shop",
      "two:a.ts",
    ]);
    const drawn = json.relationships.map((each: { from: string; to: string }) => `${each.from} ${each.to}`);
    expect(drawn).toEqual(["shop one:a.ts", "two:a.ts npm:pino"]);
  });

  it("removes what a large change left behind within the limits of a small plan", async () => {
    const { tool, home } = await startOwner({ plan: "free" });
    const root = join(home, "shop");
    mkdirSync(join(root, "before"), { recursive: true });
    for (let file = 0; file < 60; file++) {
      const code = `import "./${(file + 1) % 60}.js";\nexport function f${file}() {}\n`;
      writeFileSync(join(root, "before", `${file}.js`), code);
    }
    expect((await tool("graph", "scan", root)).code).toBe(0);
    renameSync(join(root, "before"), join(root, "after"));
    const again = await tool("graph", "scan", root, "--json");
    expect(again.json.sent.removed).toEqual({ entities: 120, relationships: 0 });
    const { json } = await tool("graph", "show", "--recorded", "--json");
    expect(json.counts).toEqual({ entities: 120, relationships: 120 });
  });

  it("replaces a scan that the account has no room for twice, and sends nothing of one that it has no room for", async () => {
    const { tool, home } = await startOwner({ plan: "free" });
    const root = join(home, "shop");
    const write = (folder: string, files: number) => {
      mkdirSync(join(root, folder), { recursive: true });
      const code = Array.from({ length: 60 }, (_, index) => `export function f${index}() {}\n`).join("");
      for (let file = 0; file < files; file++) writeFileSync(join(root, folder, `${file}.js`), code);
    };
    write("before", 100);
    expect((await tool("graph", "scan", root)).code).toBe(0);
    renameSync(join(root, "before"), join(root, "after"));
    const again = await tool("graph", "scan", root, "--json");
    expect(again.json.sent.removed).toEqual({ entities: 6100, relationships: 0 });
    const counts = async () => (await tool("graph", "show", "--recorded", "--json")).json.counts;
    expect(await counts()).toEqual({ entities: 6100, relationships: 6000 });

    write("more", 70);
    const refused = await tool("graph", "scan", root);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(
      /would add 8,470 entities and relationships, and this account \(plan Free\) has room for 7,[78]\d\d of 20,000/,
    );
    expect(await counts()).toEqual({ entities: 6100, relationships: 6000 });
  });

  it("records a successful use as an api.call by its command, and none with DO_NOT_TRACK", async () => {
    const { app, tool } = await startOwner();
    await tool("graph", "show");
    await tool("graph", "impact", "nobody");
    await tool("events", "flush");
    const { body } = await app.request("GET", "/api/v1/usage");
    expect(body.totals.api_calls).toBe(1);
    expect((await tool("usage", "--by", "tool")).stdout).toMatch(/^graph show +1$/m);
    const silent = ownerOf(app, { DO_NOT_TRACK: "1" });
    expect((await silent.tool("graph", "show")).code).toBe(0);
    expect((await silent.tool("events", "list", "--json")).json.events).toBe(0);
  });
});

describe("partsOf()", () => {
  const itemsIn = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).entity);

  it("splits items in order into parts of at most 50,000 lines and a limited size", () => {
    expect([...partsOf("entity", [])]).toEqual([]);
    const many = Array.from({ length: 120_000 }, (_, index) => index);
    const parts = [...partsOf("entity", many)];
    expect(parts.map(({ start, count }) => [start, count])).toEqual([
      [0, 50_000],
      [50_000, 50_000],
      [100_000, 20_000],
    ]);
    expect(parts.flatMap(({ text }) => itemsIn(text))).toEqual(many);
    const long = Array.from({ length: 5 }, () => "x".repeat(7_000_000));
    expect([...partsOf("entity", long)].map(({ count }) => count)).toEqual([2, 2, 1]);
  });
});
