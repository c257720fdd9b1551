import { describe, expect, it } from "vitest";
import { ROUTE, withFiles } from "./with-files.ts";

describe("a function that a change makes dangerous and other files hand on", () => {
  const query = (id: string) => `db.query("SELECT * FROM users WHERE id = " + ${id})`;
  const asObject = (id: string) => `export default { find(id: string) { return ${query(id)}; } };\n`;
  const asDefault = (id: string) => `export default (id: string) => ${query(id)};\n`;
  const asInstance = (id: string) =>
    `class Users { find(id: string) { return ${query(id)}; } }\nexport const users = new Users();\n`;
  const asMember = (id: string) => `export function find(id: string) { return ${query(id)}; }\n`;

  it.each([
    ["as another name", asMember, 'export { find as getUser } from "./users";', "{ getUser }", "getUser"],
    ["as the name of a default", asDefault, 'export { default as get } from "./users";', "{ get }", "get"],
    [
      "as a name that it is imported as",
      asDefault,
      'import get from "./users";\nexport { get };',
      "{ get }",
      "get",
    ],
    ["in an object", asDefault, 'import get from "./users";\nexport default { get };', "api", "api.get"],
    [
      "as a method of an object",
      asObject,
      'export { default as users } from "./users";',
      "{ users }",
      "users.find",
    ],
    [
      "as a method of what a class makes",
      asInstance,
      'export { users } from "./users";',
      "{ users }",
      "users.find",
    ],
  ])("is found where a client's value is given to it %s", async (_, users, index, names, called) => {
    const { write, commit, found } = withFiles({
      "src/users.ts": users("Number(id)"),
      "src/index.ts": `${index}\n`,
      "src/routes/user.ts": ROUTE(`import ${names} from "../index";`, `${called}(req.query.id)`),
    });
    commit();
    write("src/users.ts", users("id"));
    expect(await found()).toEqual([expect.stringContaining("src/routes/user.ts:3 passes it on.")]);
  });
});
