/** A UUID, which some follow with what tells builds of it apart. */
const DEBUG_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/;

/** One form of those that SDKs and tools write: a UUID in small letters; undefined where it is none. */
export function debugIdOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const id = DEBUG_ID.exec(value.toLowerCase())?.[0].replaceAll("-", "");
  return id?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
