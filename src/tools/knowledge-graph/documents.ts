import { hash } from "node:crypto";
import { collection } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Entity, NewRelationship, Relationship } from "./graph-contract.ts";

/** An entity as stored. Times are milliseconds since the epoch; empty members are left out. */
export interface EntityDocument {
  type: string;
  name: string;
  properties?: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
}

export interface RelationshipDocument {
  from: string;
  to: string;
  type: string;
  weight?: number;
  properties?: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
}

/** Stored in the project's space, by the entity's id. */
export const entities = collection<EntityDocument>("graph_entities", { changes: true });
/** Stored in the project's space, by `relationshipKey`. */
export const relationships = collection<RelationshipDocument>("graph_relationships", { changes: true });

/**
 * At most one in a project, dropped with the first entity that is deleted: whoever finds the same one again knows that
 * all entities it has seen still exist.
 */
export const marks = collection<{ id: string }>("graph_marks");
export const ENTITIES = "entities";

/** As a project is emptied: the mark goes with the first entity, and relationships before their ends. */
export const knowledgeGraphCollections = [marks, relationships, entities] as const;

/**
 * Returns the identity of a relationship. Hashed: three ids of 256 characters would make a key too long for an index.
 */
export function relationshipKey({ from, to, type }: Pick<NewRelationship, "from" | "to" | "type">): string {
  return hash("sha256", JSON.stringify([from, to, type]), "base64url");
}

export function entityOf(id: string, document: EntityDocument): Entity {
  const { type, name, properties = {}, createdAt, updatedAt } = document;
  return { id, type, name, properties, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

export function relationshipOf(document: RelationshipDocument): Relationship {
  const { from, to, type, weight, properties = {}, createdAt, updatedAt } = document;
  return {
    from,
    to,
    type,
    ...defined({ weight }),
    properties,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}
