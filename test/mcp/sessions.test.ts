import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { reportError } from "../support/report-error.ts";
import { bundleOf, mapOf, upload } from "../support/source-maps.ts";
import { EXAMPLES } from "./support/examples.ts";
import { TRANSPORTS, textOf } from "./support/sessions.ts";

describe.each(TRANSPORTS)("a session over %s", (_, open) => {
  it("introduces itself and lists tools with schemas and hints", async () => {
    const app = await startApp();
    const { client } = await open(app, { tools: "all" });
    expect(client.getServerVersion()).toMatchObject({ name: "toolplane", title: "Toolplane" });
    expect(client.getInstructions()).toContain("Toolplane");
    const { tools } = await client.listTools();
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z][a-z_]{2,63}$/);
      expect(tool.description, tool.name).toMatch(/^[A-Z].*\.$/s);
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(tool.outputSchema, tool.name).toMatchObject({ type: "object" });
      expect(tool.title, tool.name).toMatch(/^[A-Z]/);
      expect(tool.annotations).toEqual({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: false,
      });
    }
  });

  it("offers prompts only for available tools, and refuses invalid arguments", async () => {
    const app = await startApp();
    const { client, prompt } = await open(app);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["review_my_change", "why_did_this_fail"]);
    expect(await prompt("review_my_change", { base: "main" })).toMatch(
      /`git diff main`.*code_review_review/s,
    );
    expect(await prompt("why_did_this_fail")).toContain("self_healing_diagnose");
    const wrong: Record<string, string>[] = [{ bse: "main" }, { base: "a\nb" }, { base: "x".repeat(501) }];
    for (const given of wrong) {
      await expect(prompt("review_my_change", given)).rejects.toMatchObject({ code: -32602 });
    }
    await expect(prompt("constructor")).rejects.toMatchObject({ code: -32602 });
    const elsewhere = await open(app, { tools: "scheduler" });
    expect((await elsewhere.client.listPrompts()).prompts).toEqual([]);
    await expect(elsewhere.prompt("review_my_change")).rejects.toMatchObject({ code: -32602 });
  });

  it("offers the meaning of each error as a resource, and refuses unknown URIs", async () => {
    const app = await startApp();
    const { read, client } = await open(app);
    const [all] = (await client.listResources()).resources;
    expect(await read(all?.uri as string)).toContain("## rate_limited");
    expect(await read("toolplane://problems/not_found")).toMatch(/^## not_found\n\n.*404/);
    for (const uri of ["toolplane://problems/constructor", "toolplane://problems/", "file:///etc/passwd"]) {
      await expect(read(uri)).rejects.toMatchObject({ code: -32602, data: { uri } });
    }
  });

  it("performs an example call of every tool, with answers that match the output schema", async () => {
    const app = await startApp();
    await app.request("PUT", "/api/v1/projects/default", { body: { learningOptIn: true } });
    await reportError(app);
    await upload(app, bundleOf({ "2dd09581-5d60-5c37-b71b-74f71c20e2e4": mapOf("a.ts") }));
    const session = await open(app, { tools: "all" });
    // The SDK's client validates every answer by the schema in the list.
    // repository.test.ts covers the tools of the local repository.
    const listed = (await session.names()).filter((name) => !name.startsWith("repository_"));
    expect(EXAMPLES.map(([name]) => name).sort()).toEqual([...listed].sort());
    const earlier: Record<string, Record<string, unknown>> = {};
    for (const [name, given] of EXAMPLES) {
      const answer = await session.call(name, typeof given === "function" ? given(earlier) : given);
      expect(answer.isError, `${name}: ${textOf(answer)}`).toBeFalsy();
      earlier[name] = answer.structuredContent as Record<string, unknown>;
      expect(JSON.parse(textOf(answer))).toEqual(answer.structuredContent);
    }
    expect(earlier.knowledge_graph_impact?.entities).toMatchObject([{ id: "db", distance: 1 }]);
    expect(earlier.agent_memory_recall?.items).toHaveLength(1);
    expect(earlier.code_review_review?.findings).toMatchObject([{ rule: "code-evaluation" }]);
  });

  it("answers an unknown argument of any tool with a tool error that names the argument", async () => {
    const app = await startApp();
    const session = await open(app, { tools: "all" });
    for (const name of await session.names()) {
      const answer = await session.call(name, { noSuchArgument: 1 });
      expect(answer.isError, name).toBe(true);
      expect(textOf(answer)).toContain("noSuchArgument is no argument");
      expect(textOf(answer)).toMatch(/It takes /);
    }
  });

  it("explains how to correct wrong arguments", async () => {
    const app = await startApp();
    const { call } = await open(app);
    const misspelt = await call("knowledge_graph_search", { query: "a", limt: 5 });
    expect(misspelt.isError).toBe(true);
    expect(textOf(misspelt)).toContain("limt is no argument; did you mean limit?");
    expect(textOf(misspelt)).toContain("query is no argument; did you mean q?");
    expect(textOf(misspelt)).toContain("q is needed: string");
    expect(textOf(misspelt)).toContain("It takes q (string), type? (string), limit? (integer).");
    const wrongType = await call("knowledge_graph_impact", { entityId: 5, depth: "deep", direction: "uot" });
    expect(textOf(wrongType)).toContain("entityId must be string, not number");
    expect(textOf(wrongType)).toContain("depth must be integer, not string");
    expect(textOf(wrongType)).toContain('direction must be one of "both", "out", "in"; did you mean out?');
    const nested = await call("scheduler_plan", { tasks: [{ id: "a", duration: 5 }] });
    expect(textOf(nested)).toContain("tasks.0.durationMs is needed: integer");
    expect(textOf(nested)).toContain("tasks.0.duration is no argument; did you mean durationMs?");
    const beyond = await call("knowledge_graph_search", { q: "a", limit: 5000 });
    expect(textOf(beyond)).toContain("limit must be at most 200");
    const named = await call("scheduler_plan", { tasks: [{ id: "a", durationMs: 1, resources: { "": 1 } }] });
    expect(textOf(named)).toContain("tasks.0.resources. has a name that must not be empty");
    const empty = await call("knowledge_graph_search", { limit: null });
    expect(textOf(empty)).toContain("limit must not be null, but integer; leave it out where it is optional");
    expect(textOf(empty)).toContain("q is needed: string");
  });

  it("answers an API problem with a tool error that has code, detail, advice and request id", async () => {
    const app = await startApp();
    const { call } = await open(app, { tools: "all" });
    const unknown = await call("knowledge_graph_impact", { entityId: "nobody" });
    expect(unknown).toMatchObject({ isError: true });
    expect(unknown.structuredContent).toBeUndefined();
    expect(textOf(unknown)).toMatch(/^Not found \(not_found\): .*nobody.*\n.+\nRequest req_/);
    const cycle = await call("scheduler_plan", {
      tasks: [
        { id: "a", durationMs: 1, dependsOn: ["b"] },
        { id: "b", durationMs: 1, dependsOn: ["a"] },
      ],
    });
    expect(textOf(cycle)).toContain("(dependency_cycle)");
    const notOptedIn = await call("learning_insights");
    expect(textOf(notOptedIn)).toContain("(opt_in_required)");
  });

  it("answers an unknown tool with a protocol error that suggests similar ones", async () => {
    const app = await startApp();
    const { call } = await open(app);
    await expect(call("knowledge_graph_serach")).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("did you mean knowledge_graph_search"),
    });
    // A tool that exists but was not selected.
    await expect(call("agent_memory_forget", { memoryId: "m" })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("--tools"),
    });
  });

  it("offers the compact set, the named tools or all tools", async () => {
    const app = await startApp();
    const compact = await (await open(app)).names();
    const all = await (await open(app, { tools: "all" })).names();
    expect(compact.length).toBeLessThan(all.length);
    expect(all).toEqual(expect.arrayContaining(compact));
    const named = await open(app, { tools: "agent_memory_forget, self_healing" });
    expect(await named.names()).toEqual([
      "agent_memory_forget",
      "self_healing_diagnose",
      "self_healing_record",
      "self_healing_show",
      "self_healing_delete",
      "self_healing_history",
    ]);
  });

  it("lists and performs only what the credential's scopes allow", async () => {
    const app = await startApp();
    const { client, call } = await open(app, { key: await app.key(["read"]), tools: "all" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("knowledge_graph_search");
    expect(tools.map(({ name }) => name)).not.toContain("knowledge_graph_add_entity");
    for (const { name, annotations } of tools)
      expect([name, annotations?.readOnlyHint]).toEqual([name, true]);
    const refused = await call("knowledge_graph_add_entity", { type: "a", name: "a" });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain(
      '(insufficient_scope): knowledge_graph_add_entity needs the scope "write"',
    );
    const graph = await app.request("GET", "/api/v1/tools/knowledge-graph");
    expect(graph.body.counts.entities).toBe(0);
  });

  it("acts in the given project only", async () => {
    const app = await startApp();
    const { call } = await open(app, { project: "größe" });
    await call("knowledge_graph_add_entity", { id: "a", type: "t", name: "Here" });
    const { call: elsewhere } = await open(app);
    expect((await elsewhere("knowledge_graph_search", { q: "here" })).structuredContent).toEqual({
      items: [],
    });
    expect((await call("knowledge_graph_search", { q: "here" })).structuredContent).toMatchObject({
      items: [{ entity: { id: "a" } }],
    });
  });

  it("sees nothing of another account", async () => {
    const app = await startApp();
    const { token } = await app.account("pro");
    await (await open(app)).call("knowledge_graph_add_entity", { id: "a", type: "t", name: "Mine" });
    const { call } = await open(app, { key: token });
    expect(textOf(await call("knowledge_graph_impact", { entityId: "a" }))).toContain("(not_found)");
  });

  it("reports an answer that is longer than an agent can read", async () => {
    const app = await startApp();
    const entities = Array.from({ length: 300 }, (_, index) => ({
      id: `e${index}`,
      type: "t",
      name: "n",
      properties: { text: "x".repeat(8000) },
    }));
    const { status } = await app.request("POST", "/api/v1/tools/knowledge-graph/import", {
      body: { entities },
    });
    expect(status).toBe(200);
    const { call } = await open(app, { tools: "all" });
    const answer = await call("knowledge_graph_show");
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain("(answer_too_long)");
  });
});
