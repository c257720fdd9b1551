import { posix } from "node:path";

/** Folders of the same sources for several platforms and versions of the language. */
const VARIANT = /^(?:\.?(?:js|jvm|native)|(?:js|jvm|native)-(?:js|jvm|native)|shared|scala(?:-[\w.+-]+)?)$/;

/** Returns the directory of a file, the same for all platforms: each may declare what the others do. */
export function placeOf(path: string): string {
  return posix
    .dirname(path)
    .split("/")
    .filter((part) => !VARIANT.test(part))
    .join("/");
}

/** Of files that declare the same for several platforms, returns those of the platform that a file is for, or all. */
export function ofPlatform(paths: readonly string[], from: string): readonly string[] {
  if (paths.length < 2) return paths;
  const variantsOf = (path: string) =>
    path.split("/").filter((part) => VARIANT.test(part) && part !== "scala");
  const wanted = variantsOf(from).filter((part) => part !== "shared");
  const same = paths.filter((path) => {
    const variants = variantsOf(path);
    return wanted.every((part) => variants.includes(part));
  });
  return wanted.length > 0 && same.length > 0 ? same : paths;
}
