import type { Repository } from "../../../repository/repository.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { table } from "../../ui/table.ts";
import { isNotFollowed } from "./not-followed.ts";

/** Shows the definitions of a file, its imports, and the files that import it. */
export async function showFile({ io }: Context, repository: Repository, path: string): Promise<Outcome> {
  const { notFollowedLanguage } = await import("../../../repository/not-followed.ts");
  const unknown = notFollowedLanguage(repository, path);
  const { name, files, edges, packages, missing } = repository;
  const found = files.get(path);
  const definitions = found?.definitions ?? [];
  const imports = edges.filter(({ from }) => from === path).map(({ to }) => to);
  const outside = packages.filter(({ from }) => from === path).map(({ name: packageName }) => packageName);
  const gone = missing.filter(({ from }) => from === path).map(({ module }) => module);
  const importedBy = edges.filter(({ to }) => to === path).map(({ from }) => from);
  const group = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? ["", io.out.style.dim(title), ...lines.map((line) => `  ${line}`)] : [];
  const columns = [
    { title: "Lines", align: "right" } as const,
    { title: "Kind" },
    { title: "Name", shrink: true },
  ];
  const rows = definitions.map((each) => [`${each.from}-${each.to}`, each.kind, each.name]);
  return {
    document: {
      id: `${name}:${path}`,
      file: path,
      language: found?.language ?? null,
      notFollowed: unknown ?? null,
      test: found?.isTest === true,
      definitions,
      imports,
      packages: outside,
      missing: gone,
      importedBy,
    },
    lines: [
      io.out.style.bold(path),
      ...(unknown === undefined ? [] : [`${isNotFollowed(unknown)}: what it defines and needs is not known`]),
      ...(rows.length > 0 ? ["", ...table(columns, rows, io.out)] : []),
      ...group("Imports", imports),
      ...group("Packages", outside),
      ...group("Imports that are not there", gone),
      ...group("Imported by", importedBy),
    ],
    isRecorded: false,
  };
}
