import * as z from "zod";
import { named, refinementRules } from "../../contract/components.ts";
import { UserId } from "../../contract/endpoint.ts";
import { faultsOf } from "../../contract/faults.ts";
import { FreeForm } from "../../contract/free-form.ts";
import type { Fault } from "../../contract/problem.ts";
import type { UsageType } from "./vocabulary.ts";

/** Any finite number: truncated to an integer, then clamped. */
export const Count = z
  .number()
  .overwrite((count) => Math.min(100, Math.max(1, Math.trunc(count))))
  .default(1)
  .describe("Truncated to an integer, then clamped into the range 1 to 100");

const TIMESTAMP = "must be an ISO 8601 time with an offset, or milliseconds since 1970";

const TelemetryEvent = z
  .strictObject({
    event: z.string().min(1).max(256).optional().describe("Its name, such as `agent.invoked`"),
    name: z.string().min(1).max(256).optional().describe("Another word for `event`"),
    id: UserId.optional().describe("Counted once in 90 days, however often it is delivered"),
    count: Count,
    timestamp: z
      .union([z.iso.datetime({ offset: true, error: TIMESTAMP }), z.number()], { error: TIMESTAMP })
      .optional()
      .describe(
        "When it happened, in ISO 8601 or in milliseconds since 1970: at most 5 minutes ahead and 90 days ago; now unless given",
      ),
    payload: FreeForm.optional().describe("Checked for size and dropped, but for a `tool`"),
    metadata: FreeForm.optional().describe("Another word for `payload`"),
    properties: FreeForm.optional().describe("Another word for `payload`"),
  })
  .refine(({ event, name }) => event !== undefined || name !== undefined, {
    path: ["event"],
    message: "is required",
  })
  .refine(({ event, name }) => event === undefined || name === undefined || event === name, {
    path: ["name"],
    message: "differs from event; send one of them",
  })
  .register(refinementRules, {
    rule: "Either `event` or `name` is there; where both are, they are the same.",
  });

named({ TelemetryEvent });

type TelemetryEvent = z.output<typeof TelemetryEvent>;

/** The events of a batch are validated individually. */
export type Delivered = { event: TelemetryEvent } | { faults: Fault[] };

export const DeliveredEvent = TelemetryEvent.transform((event): Delivered => ({ event })).catch(
  ({ error }) => ({
    faults: faultsOf(error),
  }),
);

/** The usage types by event name. */
const TYPE_OF = new Map<string, UsageType>([
  ["agent.invoked", "agents_invoked"],
  ["agent.invoke", "agents_invoked"],
  ["skill.accessed", "skills_accessed"],
  ["skill.search", "skills_accessed"],
  ["skill.view", "skills_accessed"],
  ["workflow.started", "workflows_started"],
  ["workflow.start", "workflows_started"],
  ["mcp.tool.call", "mcp_calls"],
  ["mcp.call", "mcp_calls"],
  ["api.call", "api_calls"],
]);

/** `agents_invoked` for `agent.invoked` or `agent.invoke`; … */
export const EVENT_NAMES = [...new Set(TYPE_OF.values())]
  .map((type) => {
    const names = [...TYPE_OF].filter(([, counted]) => counted === type).map(([name]) => `\`${name}\``);
    return `\`${type}\` for ${names.join(" or ")}`;
  })
  .join("; ");

/** Returns the usage type of an event; undefined if its name has none. */
export function usageTypeOf({ event, name }: TelemetryEvent): UsageType | undefined {
  return TYPE_OF.get((event ?? name) as string);
}
