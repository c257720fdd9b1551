import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packageRoot } from "../../system/package.ts";

const OWN = pathToFileURL(packageRoot).href;

/**
 * Returns the message of what the code of a tool's author threw, with the file and line where it happened: at the start
 * nothing else of it is shown.
 */
export function messageWithPlace(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const places = [...(error.stack ?? "").matchAll(/(file:\/\/[^\s)]+?):(\d+)/g)];
  const [, url = "", line] = places.find(([, file = ""]) => !file.startsWith(`${OWN}/`)) ?? [];
  return url === "" ? error.message : `${error.message} (${relative("", fileURLToPath(url))}:${line})`;
}
