import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { usersIn, withUser } from "../../../../src/tools/observability/groups/users.ts";

function bitmapOf(count: number, salt: string): string {
  let bitmap: string | undefined;
  for (let user = 0; user < count; user++) bitmap = withUser(bitmap, hash("sha256", `${salt}${user}`));
  return bitmap ?? "";
}

it("usersIn() estimates up to 1,000 users within 5 %, counts repeats once and caps at 10,000", () => {
  for (const count of [1, 2, 3, 30, 300, 1000]) {
    for (const salt of ["a", "b", "c"]) {
      const estimate = usersIn(bitmapOf(count, salt));
      expect(Math.abs(estimate - count), `${count} ${salt}`).toBeLessThanOrEqual(Math.ceil(count * 0.05));
    }
  }
  const twice = withUser(withUser(undefined, "ann"), "ann");
  expect(usersIn(twice)).toBe(1);
  expect(usersIn(bitmapOf(50_000, "d"))).toBe(10_000);
});

it("withUser() returns a bitmap of the same length for one user as for 3,000", () => {
  expect(bitmapOf(3000, "a")).toHaveLength(bitmapOf(1, "a").length);
});
