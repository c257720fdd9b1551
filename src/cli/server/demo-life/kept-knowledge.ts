import type { RouteInput } from "../../../client/routes.ts";

type NewMemory = RouteInput<"POST /api/v1/tools/agent-memory/store-many">["memories"][number];
type Graph = RouteInput<"POST /api/v1/tools/knowledge-graph/import">;

/** The memories that agents of the demo store, in the order of the days on which they do. */
export const MEMORIES: readonly (readonly NewMemory[])[] = [
  [
    {
      content: "Checkout deploys on Tuesdays and Thursdays, never on Fridays.",
      kind: "procedure",
      tags: ["deployment"],
      agent: "release-agent",
    },
    {
      content: "Ada decided to keep PostgreSQL for orders: events alone cannot answer support's questions.",
      kind: "decision",
      tags: ["database", "orders"],
      agent: "architect",
    },
    {
      content: "The warehouse scanner API returns 200 with an error in its body; look at the field status.",
      kind: "fact",
      tags: ["warehouse"],
      agent: "backend-developer",
    },
    {
      content: "Ben wants small pull requests: under 300 changed lines, tests in the same commit.",
      kind: "preference",
      tags: ["review"],
      agent: "code-reviewer",
    },
    {
      content: "Before a migration runs in production, take a backup and note its name in the ticket.",
      kind: "procedure",
      tags: ["database", "deployment"],
      agent: "release-agent",
    },
  ],
  [
    {
      content: "Support answers in the customer's language; English where it is not known.",
      kind: "preference",
      tags: ["support"],
      agent: "support-bot",
    },
    {
      content: "Refunds above 500 EUR need a second person.",
      kind: "fact",
      tags: ["payments", "policy"],
      agent: "support-bot",
    },
    {
      content: "The payment provider times out after 8 seconds; retry once with the same idempotency key.",
      kind: "fact",
      tags: ["payments"],
      agent: "backend-developer",
    },
    {
      content:
        "On 3 March the parcel labels were printed twice, because the queue delivered a message again.",
      kind: "event",
      tags: ["incident", "warehouse"],
      agent: "incident-commander",
    },
  ],
  [
    {
      content: "Checkout deploys every weekday before 15:00 since the canary is in place.",
      kind: "procedure",
      tags: ["deployment"],
      agent: "release-agent",
    },
    {
      content: "Farah owns the search index; ask her before its mapping changes.",
      kind: "fact",
      tags: ["search", "people"],
      agent: "architect",
    },
    {
      content: "We decided against GraphQL for partners: three of four ask for files by SFTP.",
      kind: "decision",
      tags: ["partners", "api"],
      agent: "architect",
    },
    {
      content: "Staging is reset each Sunday at 04:00; data made there is gone on Monday.",
      kind: "fact",
      tags: ["staging"],
      agent: "release-agent",
    },
    {
      content: "Dmitri prefers table tests with a name for each case.",
      kind: "preference",
      tags: ["tests"],
      agent: "test-writer",
    },
  ],
  [
    {
      content: "The rate card changes on the first of a month; caches of prices end at midnight in Lisbon.",
      kind: "fact",
      tags: ["pricing"],
      agent: "backend-developer",
    },
    {
      content: "Retries of label printing carry the parcel's number as their idempotency key.",
      kind: "decision",
      tags: ["warehouse", "incident"],
      agent: "architect",
    },
    {
      content: "A customs form needs the six-digit HS code; without it the carrier holds the parcel.",
      kind: "fact",
      tags: ["customs"],
      agent: "support-bot",
    },
    {
      content: "To rotate the carrier's certificate: upload the new one, wait an hour, remove the old one.",
      kind: "procedure",
      tags: ["carrier", "security"],
      agent: "release-agent",
    },
  ],
  [
    {
      content: "Emeka measured 40 ms less at checkout after the address lookup moved behind the form.",
      kind: "event",
      tags: ["performance", "checkout"],
      agent: "performance-expert",
    },
    {
      content: "Logs keep parcel numbers and never names or streets.",
      kind: "decision",
      tags: ["privacy"],
      agent: "compliance-officer",
    },
    {
      content: "The month's report runs at 02:00 UTC and takes 25 minutes; nothing else heavy starts then.",
      kind: "fact",
      tags: ["reports"],
      agent: "release-agent",
    },
  ],
];

const PARTS: readonly (readonly [id: string, type: string, name: string])[] = [
  ["web", "service", "Web shop"],
  ["app", "service", "Mobile app"],
  ["gateway", "service", "API gateway"],
  ["checkout", "service", "Checkout"],
  ["orders", "service", "Orders"],
  ["payments", "service", "Payments"],
  ["pricing", "service", "Pricing"],
  ["search", "service", "Search"],
  ["labels", "service", "Label printing"],
  ["tracking", "service", "Parcel tracking"],
  ["warehouse", "service", "Warehouse scanner"],
  ["support", "service", "Support bot"],
  ["reports", "service", "Reports"],
  ["customs", "service", "Customs forms"],
  ["mailer", "service", "Mailer"],
  ["orders-db", "database", "orders (PostgreSQL)"],
  ["prices-db", "database", "prices (PostgreSQL)"],
  ["search-index", "database", "products (index)"],
  ["cache", "database", "cache (Redis)"],
  ["lake", "database", "events (object storage)"],
  ["parcel-events", "queue", "parcel-events"],
  ["mail-queue", "queue", "mail-queue"],
  ["payment-provider", "external", "Payment provider"],
  ["carrier", "external", "Carrier"],
  ["customs-office", "external", "Customs office"],
  ["team-checkout", "team", "Team Checkout"],
  ["team-warehouse", "team", "Team Warehouse"],
  ["team-platform", "team", "Team Platform"],
];

const ARROWS: readonly (readonly [from: string, type: string, to: readonly string[]])[] = [
  ["web", "calls", ["gateway"]],
  ["app", "calls", ["gateway"]],
  ["gateway", "calls", ["checkout", "search", "tracking", "support"]],
  ["checkout", "calls", ["orders", "payments", "pricing"]],
  ["orders", "calls", ["labels", "mailer"]],
  ["labels", "calls", ["carrier", "customs"]],
  ["customs", "calls", ["customs-office"]],
  ["payments", "calls", ["payment-provider"]],
  ["support", "calls", ["orders", "tracking", "mailer"]],
  ["checkout", "reads", ["cache"]],
  ["orders", "writes", ["orders-db"]],
  ["pricing", "reads", ["prices-db", "cache"]],
  ["search", "reads", ["search-index"]],
  ["reports", "reads", ["orders-db", "lake"]],
  ["warehouse", "publishes", ["parcel-events"]],
  ["labels", "publishes", ["parcel-events"]],
  ["tracking", "consumes", ["parcel-events"]],
  ["lake", "consumes", ["parcel-events"]],
  ["mailer", "consumes", ["mail-queue"]],
  ["orders", "publishes", ["mail-queue"]],
  ["team-checkout", "owns", ["web", "app", "checkout", "orders", "payments", "pricing", "search"]],
  ["team-warehouse", "owns", ["labels", "warehouse", "tracking", "customs"]],
  ["team-platform", "owns", ["gateway", "support", "reports", "mailer", "cache", "lake"]],
];

/** The knowledge graph of the first account's services. */
export const GRAPH: Graph = {
  entities: PARTS.map(([id, type, name]) => ({ id, type, name })),
  relationships: ARROWS.flatMap(([from, type, all]) => all.map((to) => ({ from, type, to }))),
};
