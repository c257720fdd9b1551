import type { Facts } from "../../facts.ts";
import { spaces } from "../blank.ts";
import { layoutOf } from "../layout.ts";
import { blankJavascript } from "./blank-javascript.ts";
import { javascriptDefinitions } from "./javascript-definitions.ts";
import { javascriptImports } from "./javascript-imports.ts";

const SCRIPT = /<script\b[^>]{0,500}>([\s\S]*?)<\/script\s*>/gi;

/** A file of JavaScript, TypeScript or JSX; of a component with tags around it (`.vue`, `.svelte`), its scripts. */
export function readJavascript(text: string, path: string): Facts {
  const script = /\.(?:vue|svelte|astro)$/.test(path) ? scriptsOf(text) : text;
  const code = blankJavascript(script);
  return { imports: javascriptImports(script, code), definitions: javascriptDefinitions(layoutOf(code)) };
}

/** In their places, all else blank. */
function scriptsOf(text: string): string {
  const parts: string[] = [];
  let from = 0;
  const frontMatter = /^---\r?\n([\s\S]*?)\n---/.exec(text);
  const found = [...(frontMatter ? [frontMatter] : []), ...text.matchAll(SCRIPT)];
  for (const match of found) {
    const [whole, script = ""] = match;
    const start = match.index + whole.indexOf(script, whole.startsWith("---") ? 3 : whole.indexOf(">") + 1);
    if (start < from) continue;
    parts.push(spaces(text.slice(from, start)), script);
    from = start + script.length;
  }
  parts.push(spaces(text.slice(from)));
  return parts.join("");
}
