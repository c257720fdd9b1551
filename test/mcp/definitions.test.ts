import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { endpoints } from "../../src/api.ts";
import { endpoint } from "../../src/contract/endpoint.ts";
import { allTools, chooseTools, describeUnknown } from "../../src/mcp/choice.ts";
import { repositoryTools } from "../../src/mcp/repository-tools.ts";
import { signInTool } from "../../src/mcp/sign-in-tool.ts";
import { type Tool, toolOf } from "../../src/mcp/tool.ts";

const AREAS = [
  "agent_memory",
  "anomalies",
  "code_review",
  "context",
  "knowledge_graph",
  "learning",
  "models",
  "observability",
  "pair",
  "scheduler",
  "self_healing",
];

function chosen(names?: string) {
  const choice = chooseTools(names);
  if ("unknown" in choice) throw new Error(describeUnknown(choice.unknown));
  return choice.tools;
}

/** Counts the tokens that a model reads. Titles and annotations are for clients, to show and to ask with. */
function tokensOf(tools: readonly Pick<Tool, "definition">[]): number {
  const listed = tools.map(({ definition: { title, annotations, ...read } }) => read);
  return countTokens(JSON.stringify({ tools: listed }));
}

describe("the MCP tools", () => {
  it("match the numbers of tools and tokens in docs/tools/mcp.md", () => {
    const page = readFileSync(resolve(import.meta.dirname, "../../docs/tools/mcp.md"), "utf8").replace(
      /\s+/g,
      " ",
    );
    const about = (tokens: number) => (Math.round(tokens / 100) * 100).toLocaleString("en");
    const [compact, all] = [chosen(), allTools()];
    const forClients = countTokens(JSON.stringify({ tools: compact.map(({ definition }) => definition) }));
    expect(page).toContain(`offered unless you say otherwise: ${compact.length} tools,`);
    expect(page).toContain(`about ${about(tokensOf(compact))} tokens (o200k)`);
    expect(page).toContain(`all ${all.length} take about ${about(tokensOf(all))},`);
    expect(page).toContain(`the three of the repository ${about(tokensOf(repositoryTools))} more`);
    expect(page).toContain(`are ${about(forClients - tokensOf(compact))} more of the first`);
    expect(repositoryTools).toHaveLength(3);
  });

  it("include every tool endpoint that answers in JSON", () => {
    const names = new Set(allTools().map(({ endpoint }) => endpoint?.name));
    const expected = endpoints.filter(
      ({ path, eventStream }) => path.startsWith("/api/v1/tools/") && !eventStream,
    );
    for (const { name } of expected) expect(names).toContain(name);
    expect(names).not.toContain("pair.events");
  });

  it("have unique names, short enough for any client", () => {
    const names = allTools().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    // Clients prefix names with theirs for the server. Some allow 64 characters in total.
    for (const name of names) expect(`mcp__toolplane__${name}`.length, name).toBeLessThanOrEqual(64);
  });

  it("take under 8,000 tokens in the compact set, which covers every area", () => {
    const tools = chosen();
    expect(tokensOf([signInTool, ...tools])).toBeLessThan(8000);
    expect([...new Set(tools.map(({ area }) => area))].sort()).toEqual(AREAS);
  });

  it("have short descriptions, without arguments that do not exist", () => {
    for (const { definition } of allTools()) {
      expect(definition.description.length, definition.name).toBeLessThanOrEqual(400);
      expect(definition.description, definition.name).toMatch(/\.$/);
    }
    const show = allTools().find(({ name }) => name === "knowledge_graph_show")?.definition;
    expect(show?.inputSchema.properties).toEqual({});
    expect(show?.description).not.toContain("format");
  });

  it("have unique, short titles", () => {
    const titles = [signInTool, ...allTools()].map(({ definition }) => definition.title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const title of titles) expect(title.length, title).toBeLessThanOrEqual(80);
  });

  it("have a read-only hint only if they just read or compute", () => {
    const hints = Object.fromEntries(
      allTools().map(({ name, definition }) => [name, definition.annotations]),
    );
    expect(hints.knowledge_graph_search).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    for (const name of ["scheduler_plan", "context_optimize", "code_review_review", "models_select"]) {
      expect(hints[name]?.readOnlyHint, name).toBe(true);
    }
    expect(hints.agent_memory_store).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(hints.agent_memory_forget).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    // Tools that may replace something with the same id are destructive, whatever their HTTP method.
    for (const name of [
      "knowledge_graph_add_entity",
      "knowledge_graph_import",
      "anomalies_change_settings",
    ]) {
      expect(hints[name], name).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    }
    for (const { endpoint, definition } of allTools()) {
      if (endpoint?.idempotent) expect(definition.annotations.readOnlyHint, definition.name).toBe(false);
    }
  });
});

describe("toolOf()", () => {
  const made = toolOf(
    endpoint({
      name: "thing-box.putAway",
      method: "PUT",
      path: "/api/v1/tools/thing-box/{thingId}",
      summary: "Put a thing away",
      description: "201 where it is new. `format` says how. It stays there.\nUntil it is taken.",
      scope: "write",
      formats: { "application/xml": "`format=xml`" },
      input: z.strictObject({
        thingId: z.string().min(1).max(256),
        format: z.enum(["json", "xml"]).default("json"),
        at: z.iso.datetime({ precision: 3 }).optional(),
        count: z.coerce.number<number>().int().min(1).max(200).default(1),
        labels: z.record(z.string(), z.string()).default({}),
      }),
      output: z.object({
        note: z.string().nullable(),
        thing: z.object({ inner: z.object({ deep: z.string() }), size: z.int().nonnegative() }),
      }),
    }),
  );

  it("takes name, description and hints from the declaration of the endpoint", () => {
    expect(made.definition).toMatchObject({
      name: "thing_box_put_away",
      description: "Put a thing away. It stays there. Until it is taken.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    });
  });

  it("reduces the input schema to the essentials for an agent", () => {
    expect(made.definition.inputSchema).toEqual({
      type: "object",
      properties: {
        thingId: { type: "string" },
        at: { type: "string", format: "date-time" },
        count: { type: "integer", minimum: 1, maximum: 200, default: 1 },
        labels: { type: "object", additionalProperties: { type: "string" } },
      },
      required: ["thingId"],
      additionalProperties: false,
    });
  });

  it.each([
    ["asks for no media type", undefined, z.enum(["json", "yaml"]).default("json")],
    ["has to be given", { "text/yaml": "`format=yaml`" }, z.enum(["json", "yaml"])],
  ])("keeps a format that %s", (_, formats, format) => {
    const tool = toolOf({
      name: "things.convert",
      method: "POST",
      path: "/api/v1/tools/things/convert",
      summary: "Convert a thing",
      scope: "write",
      input: z.strictObject({ format }),
      output: z.object({ text: z.string() }),
      ...(formats && { formats }),
    });
    expect(tool.input.safeParse({ format: "yaml" }).success).toBe(true);
  });

  it.each([
    ["plain", "rich"],
    ["json", "xml"],
  ])("keeps a format of %s or %s where the input is refined", (...formats) => {
    const tool = toolOf(
      endpoint({
        name: "things.draw",
        method: "GET",
        path: "/api/v1/tools/things",
        summary: "Draw the things",
        scope: "read",
        input: z.strictObject({ format: z.enum(formats), size: z.int() }).refine(({ size }) => size !== 13),
        output: z.object({}),
      }),
    );
    expect(Object.keys(tool.definition.inputSchema.properties ?? {})).toEqual(["format", "size"]);
    expect(tool.input.safeParse({ format: formats[0], size: 13 }).success).toBe(false);
  });

  it("describes schemas with an id of zod's, and those that refer to themselves, as objects of their own", () => {
    const Branch = z.object({
      get branches() {
        return z.array(Branch).optional();
      },
    });
    const Note = z.object({ text: z.string(), branch: Branch.optional() }).meta({ id: "Note" });
    const { definition } = toolOf(
      endpoint({
        name: "notes.write",
        method: "POST",
        path: "/api/v1/tools/notes",
        summary: "Write a note",
        scope: "write",
        input: Note,
        output: Note,
      }),
    );
    expect(definition.inputSchema).toMatchObject({
      type: "object",
      properties: { text: { type: "string" } },
    });
    expect(definition.outputSchema).toMatchObject({
      type: "object",
      properties: { text: { type: "string" } },
    });
  });

  it("outlines the output schema two levels deep, open to further members", () => {
    expect(made.definition.outputSchema).toEqual({
      type: "object",
      properties: {
        note: { type: ["string", "null"] },
        thing: {
          type: "object",
          properties: { inner: { type: "object" }, size: { type: "integer" } },
        },
      },
    });
  });
});

describe("chooseTools()", () => {
  it("accepts names, areas, default and all, in the order of the API and without duplicates", () => {
    expect(chosen("pair_show,pair, pair_start").map(({ name }) => name)).toEqual([
      "pair_start",
      "pair_list",
      "pair_recent",
      "pair_show",
      "pair_change",
      "pair_handoff",
      "pair_end",
    ]);
    expect(chosen("default,all")).toEqual(allTools());
    expect(chosen("")).toEqual(chosen("default"));
  });

  it("suggests similar names for unknown ones", () => {
    const choice = chooseTools("knowlege_graph,agentMemoryRecall,xyzzy");
    expect(choice).toMatchObject({
      unknown: [
        { name: "knowlege_graph", near: expect.arrayContaining(["knowledge_graph"]) },
        { name: "agentMemoryRecall", near: ["agent_memory_recall"] },
        { name: "xyzzy", near: [] },
      ],
    });
  });

  it("reports at most ten unknown names", () => {
    const choice = chooseTools(Array.from({ length: 3000 }, (_, index) => `q${index},q1`).join());
    if (!("unknown" in choice)) throw new Error("they are tools");
    expect(choice.unknown.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `q${index}`),
    );
  });
});
