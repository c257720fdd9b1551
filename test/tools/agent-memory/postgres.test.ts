import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { ROOT } from "./memory.ts";

describe("several servers on one PostgreSQL database", () => {
  async function openTwo() {
    const databaseUrl = await createDatabase();
    return [await startApp({ databaseUrl }), await startApp({ databaseUrl })] as const;
  }

  it("recall and forget immediately what was stored through either", async () => {
    const [one, two] = await openTwo();
    const recalled = async (app: typeof one) =>
      (await app.request("GET", `${ROOT}/recall?q=lighthouse`)).body.items.length;
    expect(await recalled(two)).toBe(0);
    const stored = await one.request("POST", `${ROOT}/store`, {
      body: { content: "A lighthouse stands there." },
    });
    expect(await recalled(two)).toBe(1);
    expect((await two.request("GET", `${ROOT}/stats`)).body).toMatchObject({ memories: 1 });
    await two.request("DELETE", `${ROOT}/${stored.body.memory.id}`);
    expect(await recalled(one)).toBe(0);
  });

  it("store a text once that both receive many times concurrently", async () => {
    const apps = await openTwo();
    const body = { content: "The staging cluster is rebuilt every Sunday night." };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (apps[index % 2] as (typeof apps)[0]).request("POST", `${ROOT}/store`, { body }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
    const many = {
      memories: Array.from({ length: 250 }, (_, index) => ({ content: `fact number ${index}` })),
    };
    const stored = await Promise.all(
      apps.map((app) => app.request("POST", `${ROOT}/store-many`, { body: many })),
    );
    const sum = stored.reduce((total, answer) => total + answer.body.stored, 0);
    expect(sum).toBe(250);
    expect((await apps[0].request("GET", `${ROOT}/stats`)).body.memories).toBe(251);
  });
});
