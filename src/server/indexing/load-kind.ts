import type { AnyHostedKind } from "../../store/projection.ts";

/** Imports a module and returns the kind of projection that it exports. */
export async function loadKind(kind: string, module: string | undefined): Promise<AnyHostedKind> {
  if (module === undefined) {
    throw new Error(`no tool declares the projection ${kind}: name its module in the tool's "projections"`);
  }
  const exported: Record<string, unknown> = await import(module);
  const found = Object.values(exported).find((value) => (value as AnyHostedKind | null)?.kind?.name === kind);
  if (found) return found as AnyHostedKind;
  throw new Error(`${module} exports no HostedKind of ${kind}`);
}
