import type { RouteInput } from "../../../client/routes.ts";

export type Role = RouteInput<"POST /api/v1/users">["role"];
type Scope = RouteInput<"POST /api/v1/keys">["scopes"][number];

/** A user of the demo. Days are counted from its first day. */
export interface Character {
  /** The part of the e-mail address before "@" and the account's domain. */
  name: string;
  role: Role;
  /** The day of the invitation. They sign in the day after, unless they are `waiting`. */
  day: number;
  /** Uses per day from their own machine, if any. */
  perDay?: number;
  state?: "waiting" | "suspended" | "gone";
}

/** An API key of the demo, and its use per day. */
export interface KeyRole {
  name: string;
  /** The name of the user who creates it. */
  by: string;
  scopes: Scope[];
  day: number;
  projectId?: string;
  perDay: number;
  rhythm: Rhythm;
  uses: readonly Use[];
  /** The relative growth of its use over the sixty days. */
  growth?: number;
  address: string;
  /** The first day on which it has ended or is not used. */
  until?: number;
  end?: "revoked" | "expired" | "idle";
  /** Days from the end of the demo to its expiry. */
  expiresIn?: number;
  rotatedOn?: number;
  boundTo?: string;
}

export type Rhythm = "office" | "always" | "night";

export interface Use {
  event: string;
  tool: string;
  share: number;
}

export interface AccountRole {
  name: string;
  domain: string;
  plan: "free" | "team" | "enterprise";
  /** The plan at the beginning, if another one. */
  firstPlan?: string;
  projects: readonly { id: string; name: string }[];
  people: readonly Character[];
  keys: readonly KeyRole[];
}

const REVIEWS: Use[] = [
  { event: "mcp.tool.call", tool: "code-review.review", share: 0.5 },
  { event: "mcp.tool.call", tool: "context-optimizer.locate", share: 0.3 },
  { event: "api.call", tool: "self-healing.diagnose", share: 0.2 },
];
const AGENTS: Use[] = [
  { event: "agent.invoked", tool: "backend-developer", share: 0.4 },
  { event: "agent.invoked", tool: "test-writer", share: 0.2 },
  { event: "mcp.tool.call", tool: "agent-memory.recall", share: 0.3 },
  { event: "skill.search", tool: "runbooks", share: 0.1 },
];
const SUPPORT: Use[] = [
  { event: "skill.search", tool: "help-centre", share: 0.6 },
  { event: "agent.invoked", tool: "customer-success-expert", share: 0.4 },
];
const REPORTS: Use[] = [
  { event: "workflow.start", tool: "month-end", share: 0.5 },
  { event: "api.call", tool: "export", share: 0.5 },
];
/** The uses from people's own machines. */
export const BY_HAND: Use[] = [
  { event: "mcp.tool.call", tool: "knowledge-graph.search", share: 0.5 },
  { event: "agent.invoked", tool: "debugger", share: 0.3 },
  { event: "workflow.start", tool: "release", share: 0.2 },
];

const kestrel: AccountRole = {
  name: "Kestrel Logistics",
  domain: "kestrel.example",
  plan: "enterprise",
  projects: [
    { id: "checkout", name: "Checkout" },
    { id: "support-bot", name: "Support bot" },
    { id: "warehouse", name: "Warehouse" },
  ],
  people: [
    { name: "ada", role: "owner", day: 0, perDay: 40 },
    { name: "ben.osei", role: "admin", day: 1, perDay: 60 },
    { name: "carla.mendez", role: "admin", day: 2, perDay: 25 },
    { name: "dmitri.volkov", role: "member", day: 3, perDay: 120 },
    { name: "emeka.obi", role: "member", day: 3, perDay: 80 },
    { name: "farah.haddad", role: "member", day: 5, perDay: 95 },
    { name: "greta.lindqvist", role: "member", day: 8 },
    { name: "hiro.tanaka", role: "member", day: 9, perDay: 70 },
    { name: "ines.duarte", role: "member", day: 12 },
    { name: "jonas.weber", role: "member", day: 15, perDay: 45, state: "suspended" },
    { name: "kavya.nair", role: "member", day: 21 },
    { name: "liam.byrne", role: "member", day: 26, state: "gone" },
    { name: "mei.chen", role: "viewer", day: 30 },
    { name: "noor.aziz", role: "viewer", day: 33 },
    { name: "olga.petrova", role: "viewer", day: 40, state: "suspended" },
    { name: "pablo.rios", role: "member", day: 56, state: "waiting" },
    { name: "quinn.harper", role: "member", day: 58, state: "waiting" },
  ],
  keys: [
    {
      name: "Agents in production",
      by: "ada",
      scopes: ["write"],
      day: 1,
      perDay: 2400,
      rhythm: "always",
      uses: AGENTS,
      growth: 0.8,
      address: "203.0.113.10",
      rotatedOn: 57,
    },
    {
      name: "CI",
      by: "ben.osei",
      scopes: ["write"],
      day: 2,
      projectId: "checkout",
      perDay: 900,
      rhythm: "office",
      uses: REVIEWS,
      growth: 0.4,
      address: "203.0.113.24",
    },
    {
      name: "Support bot",
      by: "carla.mendez",
      scopes: ["write"],
      day: 10,
      projectId: "support-bot",
      perDay: 650,
      rhythm: "always",
      uses: SUPPORT,
      growth: 1.2,
      address: "198.51.100.7",
      boundTo: "support-bot",
    },
    {
      name: "Nightly reports",
      by: "ben.osei",
      scopes: ["write"],
      day: 6,
      projectId: "warehouse",
      perDay: 110,
      rhythm: "night",
      uses: REPORTS,
      address: "203.0.113.31",
      expiresIn: 5,
    },
    {
      name: "Contractor",
      by: "carla.mendez",
      scopes: ["write"],
      day: 14,
      perDay: 30,
      rhythm: "office",
      uses: REVIEWS,
      address: "192.0.2.77",
      until: 44,
      end: "expired",
    },
    {
      name: "Seen in a build log",
      by: "ben.osei",
      scopes: ["write"],
      day: 18,
      perDay: 300,
      rhythm: "office",
      uses: REVIEWS,
      address: "203.0.113.24",
      until: 37,
      end: "revoked",
    },
    {
      name: "Old dashboard",
      by: "ada",
      scopes: ["read", "write"],
      day: 4,
      perDay: 45,
      rhythm: "office",
      uses: REPORTS,
      address: "203.0.113.40",
      until: 22,
      end: "idle",
    },
    {
      name: "Mobile app, not yet",
      by: "carla.mendez",
      scopes: ["read"],
      day: 52,
      perDay: 0,
      rhythm: "office",
      uses: [],
      address: "203.0.113.50",
    },
  ],
};

const northlight: AccountRole = {
  name: "Northlight Studio",
  domain: "northlight.example",
  plan: "team",
  firstPlan: "pro",
  projects: [{ id: "website", name: "Website" }],
  people: [
    { name: "rosa.marin", role: "owner", day: 7, perDay: 35 },
    { name: "sam.okafor", role: "admin", day: 8, perDay: 55 },
    { name: "tess.vries", role: "member", day: 9, perDay: 40 },
    { name: "uma.patel", role: "member", day: 13 },
    { name: "viktor.nagy", role: "member", day: 20, perDay: 30 },
    { name: "wren.ellis", role: "member", day: 24 },
    { name: "xavier.roche", role: "viewer", day: 31 },
    { name: "yara.santos", role: "viewer", day: 38, state: "suspended" },
    { name: "zoe.adler", role: "member", day: 57, state: "waiting" },
  ],
  keys: [
    {
      name: "Build server",
      by: "rosa.marin",
      scopes: ["write"],
      day: 8,
      projectId: "website",
      perDay: 420,
      rhythm: "office",
      uses: REVIEWS,
      growth: 0.3,
      address: "198.51.100.61",
    },
    {
      name: "Design assistant",
      by: "sam.okafor",
      scopes: ["write"],
      day: 16,
      perDay: 180,
      rhythm: "office",
      uses: AGENTS,
      growth: 0.9,
      address: "198.51.100.62",
    },
    {
      name: "Trial",
      by: "sam.okafor",
      scopes: ["read"],
      day: 11,
      perDay: 0,
      rhythm: "office",
      uses: [],
      address: "198.51.100.63",
    },
  ],
};

const paperLantern: AccountRole = {
  name: "Paper Lantern",
  domain: "paperlantern.example",
  plan: "free",
  projects: [],
  people: [
    { name: "alma", role: "owner", day: 19, perDay: 20 },
    { name: "bo", role: "member", day: 25, perDay: 15 },
    { name: "cleo", role: "viewer", day: 41 },
    { name: "dov", role: "member", day: 59, state: "waiting" },
  ],
  keys: [
    {
      name: "Notes script",
      by: "alma",
      scopes: ["read", "write"],
      day: 20,
      perDay: 60,
      rhythm: "always",
      uses: AGENTS,
      address: "192.0.2.15",
    },
  ],
};

/** The accounts of the demo. The first one operates the server. */
export const ACCOUNTS = [kestrel, northlight, paperLantern] as const;
