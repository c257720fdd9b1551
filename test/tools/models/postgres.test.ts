import { expect, it } from "vitest";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { openModels } from "./models.ts";

it("several servers on one PostgreSQL database share recorded outcomes of models", async () => {
  const databaseUrl = await createDatabase();
  const servers = [await openModels({ databaseUrl }), await openModels({ databaseUrl })];
  const failure = { model: "ash/large", kind: "code", outcome: "failure" };
  await Promise.all(
    [...servers, ...servers, ...servers, ...servers].map((server) => server.outcome(failure)),
  );
  for (const { select, list } of servers) {
    const { selected, alternatives } = await select({ task: { kind: "code" }, objective: "quality" });
    expect(selected.id).toBe("middle");
    expect(alternatives.find(({ id }: { id: string }) => id === "large").recorded).toEqual({
      successes: 0,
      failures: 8,
    });
    expect((await list("?capability=vision")).items).toHaveLength(1);
  }
});
