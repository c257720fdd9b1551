import * as z from "zod";
import { At, Name, UserId } from "../../contract/endpoint.ts";
import { FreeForm } from "../../contract/free-form.ts";

/* The parts of a graph: as shown, given and imported. */

const Properties = z.record(z.string(), z.unknown());

export const Entity = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  properties: Properties,
  createdAt: At,
  updatedAt: At,
});
export type Entity = z.infer<typeof Entity>;

export const Relationship = z.object({
  from: z.string(),
  to: z.string(),
  type: z.string(),
  weight: z.number().optional(),
  properties: Properties,
  createdAt: At,
  updatedAt: At,
});
export type Relationship = z.infer<typeof Relationship>;

export const NewEntity = z.strictObject({
  id: UserId.optional().describe("Made up where it is absent"),
  type: Name,
  name: Name,
  properties: FreeForm.optional(),
});
export type NewEntity = z.infer<typeof NewEntity>;

export const NewRelationship = z.strictObject({
  from: UserId.describe("An entity's id"),
  to: UserId.describe("An entity's id"),
  type: Name,
  weight: z.number().optional(),
  properties: FreeForm.optional(),
});
export type NewRelationship = z.infer<typeof NewRelationship>;

/** Accepted so that the output of `show` can be imported as it is. */
export const NotRead = z.unknown().optional().describe("As `GET` shows it; not read");
const TIMES = { createdAt: NotRead, updatedAt: NotRead };
export const ImportedEntity = NewEntity.extend(TIMES);
export const ImportedRelationship = NewRelationship.extend(TIMES);
/** A line of an import as NDJSON. */
export const ImportLine = z
  .strictObject({ entity: ImportedEntity.optional(), relationship: ImportedRelationship.optional() })
  .refine(
    ({ entity, relationship }) => (entity === undefined) !== (relationship === undefined),
    "must hold either an entity or a relationship",
  );
