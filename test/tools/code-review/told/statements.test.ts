import { describe, expect, it } from "vitest";
import { findingsIn } from "../cases.ts";

const isSql = (text: string) =>
  findingsIn("a.ts", `run(\`${text}\${unseen}\`);`, { rules: { only: ["sql-injection"] } }).length > 0;

/** Returns variants of a form: one or two spaces for each ␣, and none, one or two for each ·. */
const spacings = (form: string) => [
  form.replaceAll("·", "").replaceAll("␣", " "),
  form.replaceAll(/[·␣]/g, " "),
  form.replaceAll(/[·␣]/g, "  "),
];

describe("an SQL statement", () => {
  it.each([
    "·select␣a␣from␣b where c = ",
    "·(·select␣a␣from␣b where c = ",
    "·insert␣into␣a values (",
    "·insert␣ignore␣into␣a values (",
    "·replace␣into␣a values (",
    "·update␣a␣set␣b = ",
    "·update␣a.b␣set␣c = ",
    "·update␣a␣as␣b␣set␣c = ",
    "·delete␣from␣a where b = ",
    "·create␣table␣a ",
    "·create␣temporary␣table␣a ",
    "·create␣or␣replace␣view␣a ",
    "·create␣unique␣index␣a ",
    "·drop␣database␣a ",
    "·alter␣user␣a ",
    "·truncate␣table␣a ",
    "·create␣schema␣a ",
    "·drop␣role␣a ",
    "·merge␣into␣a using ",
    "·with␣a␣as·(select b ",
    "·exec␣run_it ",
    "·execute␣run_it ",
    "·call␣run_it ",
    "·grant␣select␣on a to ",
    "·union␣select␣a, b, ",
    "·union␣all␣select␣a, ",
    "·select␣a, b, ",
  ])("is recognised with any spacing and case: %s", (form) => {
    expect(spacings(form).filter((text) => !isSql(text))).toEqual([]);
    const upper = form.toUpperCase();
    expect(spacings(upper).filter((text) => !isSql(text))).toEqual([]);
  });

  it.each([
    "Select a from the list ",
    "Update a, set it to ",
    "selected a from b ",
    "x select a from b ",
    "insert a ",
    "insertinto a values ",
    "replace it with ",
    "update the list of ",
    "delete a, b and ",
    "create a table of ",
    "drop the table ",
    "merge it into ",
    "with a as ",
    "call me at home. Or else ",
    "execute it! Now ",
    "grant a wish on ",
    "unions select ",
    "select ",
  ])("is not recognised in %s", (text) => expect(isSql(text)).toBe(false));

  it.each([
    " where·a·=·'",
    " and·a·like·'%",
    " or·a·<>·'",
    " and·a·!=·'",
    " having·a·>·'",
    " where·a.b·<·'",
    " where `a`·=·(·'",
    "a␣=␣'",
    "·a␣like␣'%",
    "·a.b␣=␣'",
  ])("is recognised by a condition with any spacing: %s", (form) => {
    const isCondition = (text: string) =>
      findingsIn("a.ts", `run(${JSON.stringify(text)} + unseen + "'");`, {
        rules: { only: ["sql-injection"] },
      }).length > 0;
    // A word and the name after it need a space between them.
    const all = spacings(form.replace(/^( \w+)·/, "$1␣"));
    const told = all.filter((text) => text.length >= 6);
    expect(told.filter((text) => !isCondition(text))).toEqual([]);
  });

  it.each(["name='", " somewhere a='", "a ='", "x wherever a='", "x = "])(
    "is not recognised by %s",
    (text) => {
      const code = `run(${JSON.stringify(text)} + unseen + "'");`;
      expect(findingsIn("a.ts", code, { rules: { only: ["sql-injection"] } })).toEqual([]);
    },
  );
});
