import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import { nearest } from "../../files/nearest.ts";
import type { Project } from "../language.ts";

export interface Projects {
  /** The directory of the project that a file belongs to. */
  of(path: string): string | undefined;
  /** The directories of the projects that one refers to, itself first, then from near to far. */
  seenFrom(directory: string): readonly string[];
  /** Namespaces that the project's settings import into each of its files. */
  usings(directory: string): readonly string[];
}

const REFERENCE = /<ProjectReference\s[^<>]{0,500}?\bInclude\s*=\s*"([^"<>]{1,300})"/g;
const USING = /<Using\s[^<>]{0,500}?\bInclude\s*=\s*"([\w.]{1,300})"/g;

/** Reads which projects of .NET there are and which refer to which. */
export function projectsOf({ paths, text }: Pick<Project, "paths" | "text">): Projects {
  const files = new Map<string, string[]>();
  const shared = new Map<string, string>();
  for (const path of paths) {
    if (path.endsWith(".csproj")) addTo(files, posix.dirname(path), path);
    else if (posix.basename(path) === "Directory.Build.props") shared.set(posix.dirname(path), path);
  }
  const textOf = (directory: string) =>
    (files.get(directory) ?? []).map((path) => text(path) ?? "").join("\n");
  const byDirectory = new Map<string, string | undefined>();
  const seen = new Map<string, string[]>();
  const usings = new Map<string, string[]>();

  function referredTo(directory: string): string[] {
    return [...textOf(directory).matchAll(REFERENCE)].map(([, path = ""]) =>
      posix.join(
        directory,
        posix.dirname(path.replaceAll("\\", "/").replace("$(MSBuildThisFileDirectory)", "")),
      ),
    );
  }

  return {
    of(path) {
      const directory = posix.dirname(path);
      if (!byDirectory.has(directory)) byDirectory.set(directory, nearest(files, path));
      return byDirectory.get(directory);
    },
    seenFrom(directory) {
      const known = seen.get(directory);
      if (known) return known;
      const found = new Set([directory]);
      // A set goes on to what is added to it.
      for (const each of found) for (const other of referredTo(each)) if (files.has(other)) found.add(other);
      seen.set(directory, [...found]);
      return [...found];
    },
    usings(directory) {
      const known = usings.get(directory);
      if (known) return known;
      const around = nearest(shared, posix.join(directory, "any"));
      const common = around === undefined ? "" : (text(shared.get(around) as string) ?? "");
      const found = [...(textOf(directory) + common).matchAll(USING)].map(([, namespace = ""]) => namespace);
      usings.set(directory, found);
      return found;
    },
  };
}
