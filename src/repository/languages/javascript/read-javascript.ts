import type { Facts, Import } from "../../facts.ts";
import { namesAlone } from "../any-script.ts";
import { spaces } from "../blank.ts";
import { layoutOf } from "../layout.ts";
import { blankJavascript } from "./blank-javascript.ts";
import { javascriptDefinitions } from "./javascript-definitions.ts";
import { javascriptImports } from "./javascript-imports.ts";
import { usesIn } from "./nuxt-names.ts";

const OPENING = /<script\b[^<>]{0,500}>/gi;
const CLOSING = /<\/script\s*>/gi;

/** Reads JavaScript, TypeScript or JSX. Of a component (`.vue`, `.svelte`, `.astro`), reads the scripts. */
export function readJavascript(text: string, path: string): Facts {
  const { script, code } = codeOf(text, path);
  const uses = usesIn(text, code, path);
  return {
    imports: javascriptImports(script, code),
    definitions: javascriptDefinitions(layoutOf(code)),
    ...(uses.length > 0 && { uses }),
  };
}

/** Reads only what `readJavascript` tells of imports, in a third of its time. */
export function readJavascriptImports(text: string, path: string): Import[] {
  const { script, code } = codeOf(text, path);
  return javascriptImports(script, code);
}

function codeOf(text: string, path: string): { script: string; code: string } {
  const script = /\.(?:vue|svelte|astro)$/.test(path) ? scriptsOf(text) : text;
  return { script, code: namesAlone(blankJavascript(script)) };
}

/** Returns the scripts at their positions, with everything else blanked. */
function scriptsOf(text: string): string {
  const parts: string[] = [];
  let from = 0;
  const keep = (start: number, end: number) => {
    parts.push(spaces(text.slice(from, start)), text.slice(start, end));
    from = end;
  };
  const frontMatter = /^---\r?\n([\s\S]*?)\n---/.exec(text);
  if (frontMatter) keep(3, frontMatter[0].length - 3);
  OPENING.lastIndex = from;
  for (let opening = OPENING.exec(text); opening; opening = OPENING.exec(text)) {
    const start = opening.index + opening[0].length;
    CLOSING.lastIndex = start;
    const end = CLOSING.exec(text)?.index ?? text.length;
    keep(start, end);
    OPENING.lastIndex = end;
  }
  parts.push(spaces(text.slice(from)));
  return parts.join("");
}
