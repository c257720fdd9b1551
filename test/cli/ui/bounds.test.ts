import { describe, expect, it } from "vitest";
import { type BoundsReport, boundLines } from "../../../src/cli/ui/bounds.ts";
import { testIo } from "../support/io.ts";

const GIB = 2 ** 30;
const REPORT: BoundsReport = {
  plan: "team",
  bounds: {
    storageBytes: { limit: GIB, used: 2868 },
    documents: { limit: 1_000_000, used: 7 },
    computeSecondsPerMinute: { limit: 120, used: 119 },
    jobsInFlight: { limit: 32, used: 0 },
    streams: { limit: 64, used: 64 },
  },
  server: { takesMore: true },
} as BoundsReport;

describe("boundLines()", () => {
  it.each([40, 60, 80, 200])(
    "writes a line per bound on %d columns, with bars from 60 columns",
    (columns) => {
      const { io } = testIo({ terminal: true, columns });
      const [, , ...lines] = boundLines(REPORT, io.out);
      expect(lines).toHaveLength(5);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns - 2);
      expect(lines[0]).toMatch(/^storage .*2\.8 KiB of 1 GiB$/);
      expect(/[█░]/.test(lines.join(""))).toBe(columns >= 60);
    },
  );
});
