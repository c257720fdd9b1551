import { describe, expect, it } from "vitest";
import { findingsIn } from "../cases.ts";

const told = (code: string, path = "src/queries/a.ts") =>
  findingsIn(path, code, { rules: { only: ["sql-injection"] } }).map(
    ({ line, severity }) => `${line} ${severity}`,
  );

describe("SQL clauses from functions of the project", () => {
  it.each([
    [
      "in a statement that is run where it is written",
      "import prisma from '@/lib/prisma';\nasync function keys(id: string, filters: Filters) {\n  const { rawQuery, parseFilters } = prisma;\n  const { filterQuery, queryParams } = parseFilters({ ...filters, id });\n  return rawQuery(`select key from data where id = {{id::uuid}} ${filterQuery} limit 100`, queryParams);\n}",
      ["5 info"],
    ],
    [
      "in a statement with a name, of which is told once",
      "import { ranges } from './ranges';\nasync function list(db, filters) {\n  const { clause, params } = await ranges(filters);\n  const statement = `select a from b where c = $1 ${clause}`;\n  return db.query(statement, params);\n}",
      ["5 info"],
    ],
    [
      "joined by a sign",
      "async function list(filters) {\n  const order = this.orderFor(filters);\n  return this.db.query('select a from b where c = ? ' + order, [filters.c]);\n}",
      ["3 info"],
    ],
    [
      "chosen by what came in",
      "import { byDay } from '../dates';\nfunction list(db, zone) {\n  return db.query(`select a from b where c = $1 ${zone ? byDay(zone) : ''}`, [zone]);\n}",
      ["3 info"],
    ],
  ])("have severity info %s", (_, code, expected) => expect(told(code)).toEqual(expected));

  it.each([
    [
      "where no values are handed over",
      "import { ranges } from './ranges';\nfunction list(db, filters) {\n  const clause = ranges(filters);\n  return db.query(`select a from b ${clause}`);\n}",
      ["4 warning"],
    ],
    [
      "where a callback or a setting is, and no values",
      "import { ranges } from './ranges';\nfunction list(db, filters, cb) {\n  const clause = ranges(filters);\n  db.query(`select a from b ${clause}`, { type: 'SELECT' });\n  db.query(`select a from c ${clause}`, cb);\n}",
      ["4 warning", "5 warning"],
    ],
    [
      "where they stand as a value",
      "import { tidy } from './tidy';\nfunction list(db, name) {\n  const own = tidy(name);\n  return db.query(`select a from b where c = '${own}' and d = $1`, [1]);\n}",
      ["4 warning"],
    ],
    [
      "where a parameter stands beside them",
      "import { ranges } from './ranges';\nfunction list(db, filters, table) {\n  const clause = ranges(filters);\n  return db.query(`select a from ${table} where c = $1 ${clause}`, [1]);\n}",
      ["4 warning"],
    ],
    [
      "where a text is only trimmed",
      "function list(db, order) {\n  const clause = order.trim();\n  return db.query(`select a from b where c = $1 ${clause}`, [1]);\n}",
      ["3 warning"],
    ],
    [
      "where another's module gives them",
      "import { pick } from 'lodash';\nfunction list(db, order) {\n  const clause = pick(order);\n  return db.query(`select a from b where c = $1 ${clause}`, [1]);\n}",
      ["4 warning"],
    ],
    [
      "where they are made of a request",
      "import { ranges } from './ranges';\napp.get('/', (req, res) => {\n  const clause = ranges(req.query.sort);\n  db.query(`select a from b where c = $1 ${clause}`, [1]);\n});",
      ["4 error"],
    ],
  ])("have a higher severity %s", (_, code, expected) => expect(told(code)).toEqual(expected));
});
