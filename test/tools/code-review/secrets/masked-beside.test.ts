import { expect, it } from "vitest";
import { findingsIn } from "../cases.ts";

it("a snippet masks every secret of its line, whichever rules are selected", () => {
  const line = 'login({ password: "!Tr0ub4dor&3xQ9z", token: "q8Zt5vKw2mNx9RbL4yHj7pDs" }); eval(name);';
  for (const rules of [
    {},
    { only: ["code-evaluation"] as const },
    { except: ["hardcoded-secret"] as const },
  ]) {
    const found = findingsIn("a.js", line, { rules });
    expect(found.length).toBeGreaterThan(0);
    for (const { snippet } of found) expect(snippet).not.toMatch(/ub4dor|vKw2mNx/);
  }
});

it("a snippet shows a line without secrets unchanged", () => {
  const line = 'login({ password: "the one you know", key: tokenOf(user) }); eval(name);';
  const [found] = findingsIn("a.js", line, { rules: { only: ["code-evaluation"] } });
  expect(found?.snippet).toBe(line);
});
