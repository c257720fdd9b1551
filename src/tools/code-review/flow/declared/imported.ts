import type { Fragment } from "../../syntax/fragment.ts";

/** A name as a file declares it. */
export interface Named {
  file: Fragment;
  name: string;
}

/** Returns where a name is declared: in this file, or in the one that it is imported from, if that is at hand. */
export function declarationOf(fragment: Fragment, name: string): Named {
  const module = fragment.names.imports.get(name);
  const found = module === undefined ? undefined : fragment.project?.importedAs(fragment.path, module);
  const file = found && fragment.project?.file(found.path);
  return file ? { file, name: found.rest.slice(1) } : { file: fragment, name };
}
