import type { AnyHostedKind, HostedKind } from "../../store/projection.ts";

/** Imports a module and returns the kind of projection that it exports. */
export async function loadKind(kind: string, module: string | undefined): Promise<AnyHostedKind> {
  if (module === undefined) {
    throw new Error(`no tool declares the projection ${kind}: name its module in the tool's "projections"`);
  }
  const exported: Record<string, unknown> = await import(module);
  const found = Object.values(exported).find((value) => (value as AnyHostedKind | null)?.kind?.name === kind);
  if (!found) throw new Error(`${module} exports no HostedKind of ${kind}`);
  checkKind(found as Partial<HostedKind>, `the projection ${kind} in ${module}`);
  return found as AnyHostedKind;
}

/** Checks what the types say, for authors who write JavaScript: without its sources a projection would stay empty. */
function checkKind({ kind, sources, empty, answers }: Partial<HostedKind>, what: string): void {
  const followed = (kind?.collections ?? []).map(({ name }) => name);
  const applied = Array.isArray(sources) ? sources.map(({ collection }) => collection.name) : [];
  if ([...followed].sort().join() !== [...applied].sort().join()) {
    throw new Error(
      `${what} must have one source for each of its kind's collections: ${followed.join(", ")}`,
    );
  }
  if (typeof empty !== "function")
    throw new Error(`${what} needs empty(), which returns one without documents`);
  if (typeof answers !== "object")
    throw new Error(`${what} needs answers: { *find(projection, asked) { … } }`);
}
