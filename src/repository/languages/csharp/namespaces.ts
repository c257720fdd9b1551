import { inAnyScript } from "../any-script.ts";
import { within } from "../classes/namespace-table.ts";
import type { Layout } from "../layout.ts";

/** A part of a file and its namespace, with the namespaces around it: `Shop.Cart`. */
export interface Block {
  namespace: string;
  start: number;
  end: number;
}

const NAMESPACE = inAnyScript(/(?<![\w.])namespace\s+([\w.@]+)\s*([;{])/g);
/** Longer names of namespaces within others are left out. */
const MAX_NAME = 500;

/** Returns the namespaces of a file, in order. */
export function namespacesIn({ code, closing }: Layout): Block[] {
  const around: Block[] = [];
  return [...code.matchAll(NAMESPACE)].map((match) => {
    const [whole, name = "", mark] = match;
    const start = match.index + whole.length;
    while (around.length > 0 && (around.at(-1)?.end ?? 0) < start) around.pop();
    const outer = around.at(-1)?.namespace ?? "";
    const full = within(outer, name.replaceAll("@", ""));
    const end = mark === ";" ? code.length : closing(start - 1);
    const block = { namespace: full.length > MAX_NAME ? outer : full, start, end };
    around.push(block);
    return block;
  });
}

/** Returns a function that tells the namespace of each of some positions in ascending order. */
export function namespaceAt(blocks: readonly Block[]): (position: number) => string {
  const open: Block[] = [];
  let next = 0;
  return (position) => {
    for (let block = blocks[next]; block && block.start <= position; block = blocks[++next]) open.push(block);
    while (open.length > 0 && (open.at(-1)?.end ?? 0) < position) open.pop();
    return open.at(-1)?.namespace ?? "";
  };
}
