import { describe, expect, it } from "vitest";
import { type AuditFormat, createAuditExport } from "../../src/audit/export.ts";
import type { AuditLog } from "../../src/audit/log.ts";
import type { AuditEntry } from "../../src/audit/model.ts";

const COUNT = 100_500;

const entry = (index: number): AuditEntry => ({
  id: `aud_${index}`,
  // Many entries share one instant.
  at: 1_795_000_000_000 - Math.floor(index / 50),
  actor: { address: "192.0.2.1", requestId: "req_1" },
  action: "key.created",
  target: { kind: "key", id: "key_1" },
  outcome: "done",
});

/** An audit log of `COUNT` entries without a store. */
const log = {
  async page(_whose: unknown, _filter: unknown, { limit, cursor }: { limit: number; cursor?: string }) {
    const from = cursor === undefined ? 0 : Number(cursor);
    const next = Math.min(from + limit, COUNT);
    return {
      items: Array.from({ length: next - from }, (_, index) => entry(from + index)),
      ...(next < COUNT && { nextCursor: String(next) }),
    };
  },
} as unknown as AuditLog;

describe("an export of the audit log", () => {
  it.each<[AuditFormat, number]>([
    ["text/csv", 1],
    ["application/jsonl", 0],
  ])("contains each of 100,500 entries once: %s", async (format, headings) => {
    const seen = new Set<string>();
    let lines = -headings;
    for await (const part of createAuditExport(log)("acc_a", "all", {}, format)) {
      for (const line of part.trimEnd().split("\n")) {
        lines++;
        const id = /aud_\d+/.exec(line)?.[0];
        if (id) seen.add(id);
      }
    }
    expect([lines, seen.size]).toEqual([COUNT, COUNT]);
  });
});
