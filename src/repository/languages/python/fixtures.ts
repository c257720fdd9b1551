import type { Definition } from "../../facts.ts";
import { inAnyScript, WORDS } from "../any-script.ts";

/** The fixtures that a file of pytest makes known to the tests beside and below it. */
export interface Fixtures {
  names: ReadonlySet<string>;
  /** Whether one of them surrounds each test, named or not. */
  isAutomatic: boolean;
}

interface Python {
  text: string;
  /** The text without what its strings and comments say, at the same places. */
  code: string;
  definitions: readonly Definition[];
}

interface Header {
  name: string;
  isFixture: boolean;
  /** The decorators with what their strings say. */
  decorators: string;
  parameters: readonly string[];
}

const NAMED_BY_STRING = inAnyScript(
  /\b(?:usefixtures|getfixturevalue|lazy_fixture|lf)\([ \t\r\n]*((?:["'][A-Za-z_]\w*["'][ \t\r\n]*,?[ \t\r\n]*)+)/g,
);
const DEF = inAnyScript(/(?:^|\n)[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(/);
const DECORATED = inAnyScript(/^[ \t]*@(?:\w+\.)*\w*fixture\b/m);
const GIVEN_NAME = inAnyScript(/\bname[ \t]*=[ \t]*["'](\w+)["']/);
const PARAMETER = inAnyScript(/^\s*(\w+)\s*(?::|$)/);
const MODULE = inAnyScript(/["']([\w.]+)["']/g);
/** Longer lists of parameters are not read to their end. */
const MAX_PARAMETERS = 10_000;

/**
 * Returns the fixtures that tests and fixtures ask for, by the names of their parameters or in strings. Undefined if
 * the file has neither tests nor fixtures.
 */
export function usedFixtures(python: Python): string[] | undefined {
  if (!/\bdef[ \t]+test|fixture\b/.test(python.code)) return undefined;
  const headers = headersOf(python);
  const asking = headers.filter(({ name, isFixture }) => isFixture || /^test/.test(name));
  if (asking.length === 0) return undefined;
  const named = [...python.text.matchAll(NAMED_BY_STRING)].flatMap(
    ([, list = ""]) => list.match(WORDS) ?? [],
  );
  const own = new Set(headers.filter(({ isFixture }) => isFixture).map(nameOfFixture));
  // A fixture that asks for its own name means the one that it replaces.
  const asked = asking.flatMap((header) =>
    header.parameters.filter((name) => !own.has(name) || name === header.name),
  );
  return [...new Set([...asked, ...named.filter((name) => !own.has(name))])].sort();
}

export function fixturesIn(python: Python): Fixtures {
  const fixtures = headersOf(python).filter(({ isFixture }) => isFixture);
  return {
    names: new Set(fixtures.map(nameOfFixture)),
    isAutomatic: fixtures.some(({ decorators }) => /\bautouse[ \t]*=[ \t]*True\b/.test(decorators)),
  };
}

/** The modules of `pytest_plugins`, whose fixtures are the file's. */
export function pluginsIn(text: string): string[] {
  const list = /^pytest_plugins\b[^=\n]*=[ \t]*(?:[[(]([^\])]{0,5000})[\])]|([^\n]*))/m.exec(text);
  if (!list) return [];
  const modules = (list[1] ?? list[2] ?? "").replace(/#[^\n]*/g, "").matchAll(MODULE);
  return [...modules].map(([, module]) => module as string);
}

function nameOfFixture({ name, decorators }: Header): string {
  return GIVEN_NAME.exec(decorators)?.[1] ?? name;
}

function headersOf({ text, code, definitions }: Python): Header[] {
  const lines = startsOfLines(code);
  return definitions.flatMap(({ name, kind, from, to }) => {
    if (kind !== "function" && kind !== "method") return [];
    const start = lines[from - 1] as number;
    const end = lines[to] ?? code.length;
    const found = DEF.exec(code.slice(start, end));
    if (!found) return [];
    const decorators = code.slice(start, start + found.index);
    return {
      name: name.slice(name.lastIndexOf(".") + 1),
      isFixture: DECORATED.test(decorators),
      decorators: text.slice(start, start + found.index),
      parameters: parametersFrom(code.slice(start + found.index + found[0].length, end)),
    };
  });
}

function startsOfLines(code: string): number[] {
  const starts = [0];
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the names of parameters without a default: pytest leaves the others alone. `code` begins behind the bracket. */
function parametersFrom(code: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < Math.min(code.length, MAX_PARAMETERS) && depth >= 0; at++) {
    const sign = code[at] as string;
    if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
    if (depth < 0 || (depth === 0 && sign === ",")) {
      parts.push(code.slice(start, at));
      start = at + 1;
    }
  }
  return parts.flatMap((part) => {
    const name = PARAMETER.exec(part)?.[1];
    return name === undefined || name === "self" || name === "cls" || /[^=!<>]=(?!=)/.test(part) ? [] : name;
  });
}
