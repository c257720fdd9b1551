import { exportsOf } from "../../syntax/exports.ts";
import type { Fragment } from "../../syntax/fragment.ts";

/** A name as a file declares it. */
export interface Named {
  file: Fragment;
  name: string;
}

/** Maximum files from an import to the declaration: all but the last hand on what the next one exports. */
const MAX_FILES = 3;

/** Returns where a name is declared: in this file, or in the one that it is imported from, if that is at hand. */
export function declarationOf(fragment: Fragment, name: string, left = MAX_FILES): Named {
  const module = fragment.names.imports.get(name);
  return (module !== undefined && leadingTo(fragment, module, left)) || { file: fragment, name };
}

function leadingTo(fragment: Fragment, module: string, left: number): Named | undefined {
  const found = left > 0 ? fragment.project?.importedAs(fragment.path, module) : undefined;
  const file = found && fragment.project?.file(found.path);
  return file && exportedBy(file, found.rest.slice(1) || "default", left - 1);
}

/** Returns where a file declares what it exports under a name, or where that is which it hands on. */
function exportedBy(file: Fragment, name: string, left: number): Named | undefined {
  if (file.language !== "javascript") return declarationOf(file, name, left);
  const { named, all } = exportsOf(file);
  const exported = named.get(name);
  if (exported && "module" in exported)
    return leadingTo(file, exported.name ? `${exported.module}.${exported.name}` : exported.module, left);
  if (exported) return declarationOf(file, declaredAt(file, exported.at, name), left);
  for (const module of all) {
    const found = leadingTo(file, `${module}.${name}`, left);
    if (found) return found;
  }
  return undefined;
}

/** Returns the name behind which an exported value is declared: `Body` of `export default Body`. */
function declaredAt(file: Fragment, at: number, name: string): string {
  const own = file.text(file.text(at) === "class" ? at + 1 : at);
  return file.names.all(own).length > 0 || file.names.imports.has(own) || file.text(at) === "class"
    ? own
    : name;
}
