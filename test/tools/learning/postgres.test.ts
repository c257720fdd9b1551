import { expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { projectOf } from "./learning.ts";

it("several servers on one PostgreSQL database give the same insights and forget together", async () => {
  const databaseUrl = await createDatabase();
  const [one, two] = [await startApp({ databaseUrl }), await startApp({ databaseUrl })];
  const apps = [one, two, one, two, one];
  const projects = apps.map((app, index) => projectOf(app, `shop-${index}`));
  await Promise.all(projects.map((project) => project.set(true)));
  await Promise.all(projects.map((project, index) => project.measure(60 * 2 ** index)));
  await projectOf(two, "shop-0").share({ title: "Cache", description: "It helps.", category: "build" });
  for (const app of [one, two]) {
    const { items } = await projectOf(app, "shop-4").insights("?type=build_duration");
    expect(items[0]).toMatchObject({
      status: "ok",
      cohort: { projects: 5 },
      patterns: [{ title: "Cache" }],
    });
  }
  await Promise.all([
    projectOf(one, "shop-0").set(false),
    projectOf(two, "shop-0").send("POST", "/benchmark", { type: "build_duration", value: 1, unit: "s" }),
  ]);
  for (const app of [one, two]) {
    const { items } = await projectOf(app, "shop-4").insights("?type=build_duration");
    expect(items[0]?.status).toBe("insufficient_data");
    expect((await projectOf(app, "shop-0").send("GET", "/insights")).status).toBe(403);
  }
  await projectOf(one, "shop-0").set(true);
  const { items } = await projectOf(two, "shop-0").insights("?type=build_duration");
  expect(items[0]?.status).toBe("no_measurements");
});
