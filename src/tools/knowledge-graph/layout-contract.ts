import * as z from "zod";
import { named } from "../../contract/components.ts";

const Count = z.int().nonnegative();

/** A drawing of a graph. */
export const GraphLayout = z.object({
  width: z.number().describe("The longer side has 1000"),
  height: z.number(),
  nodes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      degree: Count.describe("Relationships that it takes part in"),
      community: z.int().describe("Into `communities`; -1 of one without relationships"),
      x: z.number(),
      y: z.number(),
    }),
  ),
  edges: z
    .array(z.object({ from: Count, to: Count, type: z.string() }))
    .describe("Between two of `nodes`, by index, at most 10,000"),
  communities: z
    .array(z.object({ leader: z.string().describe("An entity's id"), name: z.string(), entities: Count }))
    .describe("What is related more among itself than with the rest, the largest first"),
  types: z.array(z.object({ type: z.string(), count: Count })).describe("The 50 most frequent"),
  counts: z.object({ entities: Count, relationships: Count }).describe("Of the whole graph"),
});
export type GraphLayout = z.infer<typeof GraphLayout>;

named({ GraphLayout });
