import * as z from "zod";
import { named, refinementRules } from "../../contract/components.ts";
import { At, computedEndpoint, endpoint, Name, UserId } from "../../contract/endpoint.ts";
import {
  Entity,
  ImportedEntity,
  ImportedRelationship,
  NewEntity,
  NewRelationship,
  NotRead,
  Relationship,
} from "./graph-contract.ts";
import { GraphLayout } from "./layout-contract.ts";

const Count = z.int().nonnegative();

/** One relationship of a path, as recorded. A path may follow it against its direction. */
const Step = z.object({ type: z.string(), from: z.string(), to: z.string() });
export type Step = z.infer<typeof Step>;

const DIRECTIONS = ["both", "out", "in"] as const;
const Direction = z
  .enum(DIRECTIONS)
  .default("both")
  .describe("`out` follows relationships from → to, `in` the other way");
export type Direction = (typeof DIRECTIONS)[number];

const RelationshipType = Name.optional().describe("Follows relationships of this type alone");

const FORMATS = ["json", "mermaid", "dot", "graphml"] as const;
export type Format = (typeof FORMATS)[number];

/** Maximum number of entities and relationships in an import, together: in a JSON object, and in lines. */
const MAX_IMPORTED = 50_000;
export const MAX_LINES = 500_000;
/** Maximum number of entities, and of relationships, in a call that deletes them. */
const MAX_DELETED = 10_000;
const TOO_MANY = `must hold at most ${MAX_DELETED}`;
const RelationshipEnds = z.strictObject({ from: UserId, to: UserId, type: Name });
const Partial = z
  .literal(true)
  .optional()
  .describe("The project holds more than fits into the index: the words of its oldest entities are left out");

const Outcome = z.object({ created: Count, updated: Count });
const Deleted = z.object({ deleted: z.object({ entities: Count, relationships: Count }) });

named({
  Entity,
  NewEntity,
  Relationship,
  NewRelationship,
  GraphStep: Step,
  ImportOutcome: Outcome,
  DeletedFromGraph: Deleted,
  RelationshipEnds,
});

const ROOT = "/api/v1/tools/knowledge-graph";

export const knowledgeGraphContract = {
  show: endpoint({
    name: "knowledge-graph.show",
    method: "GET",
    path: ROOT,
    summary: "Show the whole graph",
    description: `Streamed, ordered by id. Other \`format\`s answer as \`application/vnd.mermaid\`, \`text/vnd.graphviz\` and
\`application/graphml+xml\`. \`updatedAt\` is the newest of all members, null for an empty graph. What is
written while the graph is sent may appear or not; a relationship appears with both its ends.`,
    scope: "read",
    formats: {
      "application/vnd.mermaid": "`format=mermaid`",
      "text/vnd.graphviz": "`format=dot`",
      "application/graphml+xml": "`format=graphml`",
    },
    input: z.strictObject({ format: z.enum(FORMATS).default("json") }),
    output: z.object({
      entities: z.array(Entity),
      relationships: z.array(Relationship),
      counts: z.object({ entities: Count, relationships: Count }),
      updatedAt: At.nullable(),
    }),
  }),

  search: endpoint({
    name: "knowledge-graph.search",
    method: "GET",
    path: `${ROOT}/search`,
    summary: "Search entities by name, type and properties",
    description: `Ranked by relevance. Any word of \`q\` may match, its beginning is enough, and one typo is
tolerated from three letters on; \`matched\` lists the indexed words that did, 100 at most. An entity is found by the
first 2,000 of its words, a word by its first 64 letters.`,
    scope: "read",
    errors: ["quota_exceeded"],
    input: z.strictObject({
      q: z.string().min(1, "must not be empty").max(1000).describe("Words"),
      type: Name.optional().describe("Entities of this type alone"),
      limit: z.coerce.number<number>().int().min(1).max(200).default(50),
    }),
    output: z.object({
      items: z.array(z.object({ entity: Entity, score: z.number(), matched: z.array(z.string()) })),
      partial: Partial,
    }),
  }),

  layout: endpoint({
    name: "knowledge-graph.layout",
    method: "GET",
    path: `${ROOT}/layout`,
    summary: "Lay the graph out for a drawing",
    description: `Places for the entities with most relationships: of the whole graph, of a \`type\`, of the community that an
entity is in (\`community\`), or within \`depth\` hops of \`entityId\`. A large drawing settles over several
requests; it stays about the same when the graph changes.`,
    scope: "read",
    errors: ["not_found", "quota_exceeded"],
    input: z.strictObject({
      entityId: UserId.optional(),
      depth: z.coerce.number<number>().int().min(1).max(3).default(1),
      community: UserId.optional().describe("An entity's id"),
      type: Name.optional(),
      limit: z.coerce.number<number>().int().min(1).max(2000).default(2000),
    }),
    output: GraphLayout,
  }),

  showEntity: endpoint({
    name: "knowledge-graph.showEntity",
    method: "GET",
    path: `${ROOT}/entity/{entityId}`,
    summary: "Show an entity",
    scope: "read",
    errors: ["not_found"],
    input: z.strictObject({ entityId: UserId }),
    output: z.object({ entity: Entity }),
  }),

  addEntity: endpoint({
    name: "knowledge-graph.addEntity",
    method: "POST",
    path: `${ROOT}/entity`,
    summary: "Add an entity or replace the one with its id",
    description: "201 where it is new, 200 where it replaces.",
    scope: "write",
    errors: ["conflict"],
    otherwise: { 200: "It replaces the one with this id." },
    destructive: true,
    idempotent: true,
    status: 201,
    example: { id: "api", type: "service", name: "API" },
    input: NewEntity,
    output: z.object({ entity: Entity, created: z.boolean() }),
  }),

  deleteEntity: endpoint({
    name: "knowledge-graph.deleteEntity",
    method: "DELETE",
    path: `${ROOT}/entity/{entityId}`,
    summary: "Delete an entity and the relationships that it takes part in",
    scope: "write",
    errors: ["not_found"],
    input: z.strictObject({ entityId: UserId }),
    output: Deleted,
  }),

  addRelationship: endpoint({
    name: "knowledge-graph.addRelationship",
    method: "POST",
    path: `${ROOT}/relationship`,
    summary: "Relate two entities, or replace their relationship of this type",
    description: "201 where it is new, 200 where it replaces; an end that is no entity is 422.",
    scope: "write",
    errors: ["conflict", "unprocessable"],
    otherwise: { 200: "It replaces the one between these two of this type." },
    destructive: true,
    idempotent: true,
    status: 201,
    example: { from: "api", to: "database", type: "uses" },
    input: NewRelationship,
    output: z.object({ relationship: Relationship, created: z.boolean() }),
  }),

  deleteRelationship: endpoint({
    name: "knowledge-graph.deleteRelationship",
    method: "DELETE",
    path: `${ROOT}/relationship`,
    summary: "Delete a relationship",
    scope: "write",
    errors: ["not_found"],
    input: RelationshipEnds,
    output: Deleted,
  }),

  deleteMany: endpoint({
    name: "knowledge-graph.deleteMany",
    method: "POST",
    path: `${ROOT}/delete`,
    summary: "Delete many entities and relationships",
    description: `At most 10,000 of each, entities with the relationships that they take part in. What is not there
is passed over, and not counted. It is done in parts, relationships first: a call that was interrupted may be repeated.`,
    scope: "write",
    destructive: true,
    idempotent: "repeatable",
    example: { entities: ["api"], relationships: [{ from: "web", to: "database", type: "uses" }] },
    input: z.strictObject({
      entities: z.array(UserId).max(MAX_DELETED, TOO_MANY).default([]).describe("Ids"),
      relationships: z.array(RelationshipEnds).max(MAX_DELETED, TOO_MANY).default([]),
    }),
    output: Deleted,
  }),

  import: computedEndpoint({
    name: "knowledge-graph.import",
    method: "POST",
    path: `${ROOT}/import`,
    summary: "Add or replace many entities and relationships",
    description: `At most 50,000 together, or 500,000 as \`application/x-ndjson\`: a line each, \`{"entity":{…}}\` or
\`{"relationship":{…}}\`, in any order. Relationships may name entities of the same call; of what is given twice, the
last counts. The answer of \`GET ${ROOT}\` may be sent as it is; its times are not taken over. All is checked
first: nothing is written if one part is wrong, or an end is no entity (422). Then it is written in parts, each for
good, entities first: an import that was interrupted, or met a bound of the account (507), may be repeated unchanged;
what it wrote stays.`,
    scope: "write",
    errors: ["conflict", "unprocessable"],
    destructive: true,
    idempotent: true,
    compute: "short",
    bodyTypes: ["application/x-ndjson"],
    example: { entities: [{ id: "api", type: "service", name: "API" }] },
    maxBodyBytes: 64 << 20,
    input: z
      .strictObject({
        entities: z.array(ImportedEntity).default([]),
        relationships: z.array(ImportedRelationship).default([]),
        counts: NotRead,
        updatedAt: NotRead,
      })
      .refine(
        ({ entities, relationships }) => entities.length + relationships.length <= MAX_IMPORTED,
        `must hold at most ${MAX_IMPORTED} entities and relationships together`,
      )
      .register(refinementRules, { rule: `At most ${MAX_IMPORTED} entities and relationships together.` }),
    output: z.object({ entities: Outcome, relationships: Outcome }),
  }),

  impact: endpoint({
    name: "knowledge-graph.impact",
    method: "GET",
    path: `${ROOT}/impact/{entityId}`,
    summary: "Find everything within some hops of an entity",
    description: `All of it, nearest first, then by id, each with one shortest path that leads to it; the
entity itself is not among them. \`counts\` has the number of entities at each distance.`,
    scope: "read",
    errors: ["not_found", "quota_exceeded"],
    input: z.strictObject({
      entityId: UserId,
      depth: z.coerce.number<number>().int().min(1).max(20).default(2),
      direction: Direction,
      type: RelationshipType,
    }),
    output: z.object({
      entity: Entity,
      depth: z.int(),
      direction: z.enum(DIRECTIONS),
      entities: z.array(z.object({ id: z.string(), distance: z.int(), path: z.array(Step) })),
      counts: z.record(z.string(), Count),
    }),
  }),

  path: endpoint({
    name: "knowledge-graph.path",
    method: "GET",
    path: `${ROOT}/path`,
    summary: "Find a shortest path between two entities",
    description: "`distance` and `path` are null where none leads from one to the other.",
    scope: "read",
    errors: ["not_found", "quota_exceeded"],
    input: z.strictObject({ from: UserId, to: UserId, direction: Direction, type: RelationshipType }),
    output: z.object({
      from: z.string(),
      to: z.string(),
      direction: z.enum(DIRECTIONS),
      distance: z.int().nullable(),
      path: z.array(Step).nullable(),
    }),
  }),
};
