import { describe, expect, it } from "vitest";
import { findingsIn } from "../cases.ts";

const USE = `
func remove(tx *sql.Tx, names []string) error {
	clause, args := listed(1, names)
	_, err := tx.Exec("DELETE FROM t WHERE name IN ("+clause+")", args...)
	return err
}`;

const rulesIn = (helper: string, use = USE) =>
  findingsIn("a.go", `package a\n${helper}${use}`).map(({ rule }) => rule);

describe("one of several results of a function of Go", () => {
  it.each([
    'func listed(start int, names []string) (string, []any) {\n\tmarks := make([]string, len(names))\n\targs := make([]any, len(names))\n\tfor i, name := range names {\n\t\targs[i] = name\n\t\tmarks[i] = "?"\n\t}\n\treturn strings.Join(marks, ", "), args\n}',
    'func listed(start int, names []string) (string, []any) {\n\tvar marks []string\n\tvar args []any\n\tfor i, name := range names {\n\t\tmarks = append(marks, fmt.Sprintf("$%d", start+i))\n\t\targs = append(args, name)\n\t}\n\treturn strings.Join(marks, ", "), args\n}',
  ])("is not what another of them holds: %s", (helper) => {
    expect(rulesIn(helper)).toEqual([]);
  });

  it.each([
    'func listed(start int, names []string) (string, []any) {\n\treturn strings.Join(names, ", "), nil\n}',
    'func listed(start int, names []string) (string, []any) {\n\tif start > 1 {\n\t\treturn "", nil\n\t}\n\treturn joined(names)\n}\nfunc joined(names []string) (string, []any) {\n\treturn strings.Join(names, ","), nil\n}',
  ])("is what that one holds: %s", (helper) => {
    expect(rulesIn(helper)).toEqual(["sql-injection"]);
  });

  it("is the second where it is taken", () => {
    const use = `
func remove(tx *sql.Tx, names []string) {
	_, text := listed(1, names)
	tx.Exec("DELETE FROM t WHERE name IN (" + text + ")")
}`;
    const helper = 'func listed(start int, names []string) (string, string) {\n\treturn "?", names[0]\n}';
    expect(rulesIn(helper, use)).toEqual(["sql-injection"]);
  });
});
