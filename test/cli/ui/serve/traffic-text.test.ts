import { describe, expect, it } from "vitest";
import type { Served } from "../../../../src/cli/ui/serve/traffic.ts";
import { requestLine } from "../../../../src/cli/ui/serve/traffic-text.ts";
import { testIo } from "../../support/io.ts";

function served(more: Partial<Served> = {}): Served {
  return {
    at: Date.UTC(2026, 0, 15, 12),
    method: "GET",
    path: "/health",
    status: 200,
    ms: 2,
    requestId: "req_1",
    ...more,
  };
}

describe("requestLine()", () => {
  it("fits the width of the terminal, with the status in one column", () => {
    for (const columns of [40, 57, 58, 60, 80, 120]) {
      const { io } = testIo({ terminal: true, columns });
      const lines = [
        served({ account: "default", path: "/api/v1/tools/knowledge-graph/search" }),
        served({ account: "Kestrel Logistics of the North", path: `/${"y".repeat(100)}` }),
        served({ method: "DELETE", path: `/api/v1/${"x".repeat(100)}`, status: 404, ms: 12_345 }),
      ].map((each) => requestLine(each, io.out));
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      expect(new Set(lines.map((line) => line.search(/ [24]0[04] /))).size).toBe(1);
    }
  });

  it("shows no escape sequences that a request brought", () => {
    const { io } = testIo({ terminal: true });
    expect(requestLine(served({ path: "/\u001b[2J" }), io.out)).not.toContain("\u001b");
  });
});
