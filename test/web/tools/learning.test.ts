import { expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { browserOn } from "../../support/browsing.ts";

it("the learning page shows how to opt in, how to measure, the project's standing and shared patterns", async () => {
  const app = await startApp();
  const browser = await browserOn(app);
  expect((await browser.get("/learning")).text).toContain(
    `takes no part. A project that does compares what it measures`,
  );
  const hostile = await browser.get(`/learning?project=${encodeURIComponent("a; rm <b>")}`);
  expect(hostile.text).toContain(`tool projects set 'a; rm <b>' --learning on --base-url ${app.url}`);
  expect(hostile.html).not.toContain("<b>");

  const projects = Array.from({ length: 8 }, (_, index) => `p${index}`);
  const ask = async (project: string, method: string, path: string, body: object) => {
    const answer = await app.request(method, path, { headers: { "X-Project-Id": project }, body });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  for (const project of projects) {
    await ask(project, "PUT", `/api/v1/projects/${project}`, { learningOptIn: true });
  }
  expect((await browser.get("/learning?project=p0")).text).toContain(
    `tool learning benchmark build_duration 93 --unit s --project p0 --base-url ${app.url}`,
  );
  for (const [index, project] of projects.entries()) {
    const measured = { type: "build_duration", value: 10 * (index + 1), unit: "s" };
    await ask(project, "POST", "/api/v1/tools/learning/benchmark", measured);
  }
  await ask("p0", "POST", "/api/v1/tools/learning/pattern", {
    title: "Cache <i>the compiler",
    description: "Keep its output.",
    category: "build",
    outcome: "Half the time.",
  });
  const worst = await browser.get("/learning?project=p7");
  expect(worst.text).toMatch(
    /Build duration 80 s \d{4}-\d\d-\d\d too few measurements 0 % [\d.]+ s \d projects/,
  );
  expect(worst.html).not.toContain("<i>the");
  const best = await browser.get("/learning?project=p0");
  expect(best.text).toMatch(/Build duration 10 s \S+ too few measurements [1-9]\d* %/);
  expect(best.text).toContain("What better ones do");
  expect(worst.text).toContain(
    "Cache <i>the compiler Keep its output. It brought: Half the time. build · shared on",
  );
});
