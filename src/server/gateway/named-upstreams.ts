import { type Catalogue, parseCatalogue } from "../../metering/plans.ts";
import type { Upstream } from "../../metering/upstreams.ts";

/**
 * Returns the catalogue with the upstreams that `--mcp` names, such as `github=https://host/mcp` or
 * `files=node server.js`. An upstream that is already in the catalogue keeps its other settings (tools, headers).
 * Throws a user-facing `Error` if a definition is invalid.
 */
export function withUpstreams(catalogue: Catalogue, named: readonly string[] = []): Catalogue {
  if (named.length === 0) return catalogue;
  const upstreams = new Map((catalogue.upstreams ?? []).map((upstream) => [upstream.name, upstream]));
  for (const text of named) {
    const [, name = "", target = ""] = /^([^=]+)=(.+)$/s.exec(text.trim()) ?? [];
    if (name === "") {
      throw new Error(
        `upstreams or --mcp takes name=https://host/mcp or name="command"; "${text}" is neither.`,
      );
    }
    const [program = ""] = wordsOf(target);
    if (isUrlOfAnother(program)) {
      throw new Error(`--mcp ${name}: "${program}" is neither an http or https URL nor a program.`);
    }
    const { url: _, command: __, ...rest } = upstreams.get(name) ?? { name };
    upstreams.set(name, { ...rest, ...reached(target) });
  }
  return parseCatalogue({ ...catalogue, upstreams: [...upstreams.values()] }, "with --mcp");
}

function reached(target: string): Pick<Upstream, "url" | "command"> {
  return /^https?:\/\//i.test(target) ? { url: target } : { command: wordsOf(target) };
}

/** Whether a program's name is rather a mistyped URL: without its scheme, or of a scheme that is not HTTP. */
function isUrlOfAnother(program: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(program)
    ? !/^https?:/i.test(program)
    : /^[\w.-]+:\d+(\/|$)/.test(program);
}

/** Splits a command into words as a shell does, with quotes but no other shell syntax. */
function wordsOf(command: string): string[] {
  const words = command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g);
  return [...words].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
