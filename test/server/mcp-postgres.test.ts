import { describe, expect, it } from "vitest";
import { overHttp } from "../mcp/support/sessions.ts";
import { startApp } from "../support/app.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";

describe("/mcp of two servers on one PostgreSQL database", () => {
  it("shares memories and call counts without a session", async () => {
    const databaseUrl = await createDatabase();
    const [one, two] = [await startApp({ databaseUrl }), await startApp({ databaseUrl })];
    const [first, second] = [await overHttp(one), await overHttp(two)];
    await first.call("agent_memory_store", { content: "The cache lives for an hour." });
    const recalled = await second.call("agent_memory_recall", { q: "cache" });
    expect(recalled.structuredContent).toMatchObject({ items: [{ matched: ["cache"] }] });
    for (const app of [one, two]) {
      expect((await app.request("GET", "/api/v1/usage")).body.totals.mcp_calls).toBe(2);
    }
  });
});
