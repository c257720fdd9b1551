import { OperationalError } from "../../system/operational-error.ts";
import type { Inventory } from "../inventory.ts";

/**
 * A backup is lines of JSON, compressed (RFC 1952): what it is, then everything that a store holds, a document or
 * a counter a line, then what that comes to. It is of neither adapter, so either is restored from it.
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
  /** Of the program that wrote it. */
  version: string;
  /** When reading began, ISO 8601: everything that was acknowledged before is in it. */
  at: string;
}

export interface Ending extends Inventory {
  end: true;
}

/** What was read is not what was written, or not all of it. */
export class BackupDamaged extends OperationalError {
  constructor(what: string, options?: ErrorOptions) {
    super(`This is no whole backup: ${what}.`, options);
    this.name = "BackupDamaged";
  }
}
