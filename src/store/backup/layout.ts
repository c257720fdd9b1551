import { OperationalError } from "../../system/operational-error.ts";
import type { Inventory } from "../inventory.ts";

/**
 * A backup is JSON lines, compressed with gzip (RFC 1952): a heading, then a line for each document and counter of the
 * store, then a line with the totals. The format does not depend on the adapter, so any store can be restored from it.
 *
 *     {"toolplane":"backup","format":1,"version":"0.1.0","at":"2026-01-15T08:00:00.000Z"}
 *     {"collection":"notes","space":"acc_1/web","id":"n1","value":{"text":"…"}}
 *     {"counter":"usage","space":"acc_1/web","id":"2026-01-15","count":7}
 *     {"end":true,"documents":1,"counters":1,"checksum":"…"}
 */
export const FORMAT = 1;

export interface Heading {
  toolplane: "backup";
  format: number;
  /** Version of the program that wrote it. */
  version: string;
  /** When reading began, ISO 8601. The backup includes everything acknowledged before. */
  at: string;
}

export interface Ending extends Inventory {
  end: true;
}

/** The backup is incomplete or differs from what was written. */
export class BackupDamaged extends OperationalError {
  constructor(what: string, options?: ErrorOptions) {
    super(`This is no whole backup: ${what}.`, options);
    this.name = "BackupDamaged";
  }
}
