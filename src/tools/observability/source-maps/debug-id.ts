/** A UUID. Some tools append a suffix that tells builds apart. */
const DEBUG_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/;

/** Normalises the forms that SDKs and tools write to a lower-case UUID. Returns undefined for anything else. */
export function debugIdOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const id = DEBUG_ID.exec(value.toLowerCase())?.[0].replaceAll("-", "");
  return id?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
