import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Clock } from "../../system/clock.ts";
import { errorCode } from "../../system/operational-error.ts";
import { packageRoot } from "../../system/package.ts";
import type { AnyTool, ToolPorts } from "../../tools/define-tool.ts";
import { messageWithPlace } from "./error-place.ts";
import { finished } from "./finished.ts";

const NEVER_LOADED =
  "its top level awaits something that does not come. Await that in a handler, or not at all.";

/**
 * Imports modules and returns the tools that they export, under any names. Rejects with a user-facing `Error` if a
 * module exports none or never finishes loading.
 */
export async function loadTools(
  modules: readonly string[],
  clock: Pick<Clock, "every">,
): Promise<AnyTool<ToolPorts>[]> {
  const loaded = await Promise.all(modules.map((module) => toolsOf(module, clock)));
  return loaded.flat();
}

async function toolsOf(module: string, clock: Pick<Clock, "every">): Promise<AnyTool<ToolPorts>[]> {
  const file = resolve(module);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new Error(`${module} is no file: name the module that exports the tool.`);
  }
  checkCopy(file, module);
  const loading: Promise<Record<string, unknown>> = import(pathToFileURL(file).href);
  const exported = await finished(loading, clock, NEVER_LOADED).catch((error) => {
    const hint = hintOf(error, module);
    throw new Error(`${module} could not be loaded: ${messageWithPlace(error)}${hint}`);
  });
  const tools = Object.values(exported).filter(isTool);
  if (tools.length > 0) return [...new Set(tools)];
  throw new Error(`${module} exports no tool: export const glossary = defineTool({ … }).`);
}

function hintOf(error: unknown, module: string): string {
  // Node shows the place of these only where it ends a process with them.
  if (error instanceof SyntaxError) return `. Run node ${module} to see where`;
  if (errorCode(error) !== "ERR_UNKNOWN_FILE_EXTENSION" || !/"\.[cm]?tsx?"/.test(String(error))) return "";
  return `. This is Node ${process.versions.node}; .ts and .mts run on Node 22.18 or later. Otherwise compile them first (npx tsc) and name the .js`;
}

function isTool(value: unknown): value is AnyTool<ToolPorts> {
  return (
    typeof value === "object" && value !== null && "name" in value && "contract" in value && "create" in value
  );
}

/**
 * Throws if a module would load another copy of this package, whose problems and replies this one would not recognise.
 */
function checkCopy(file: string, module: string): void {
  const found = installedFor(file);
  if (found === undefined || found === realpathSync(packageRoot)) return;
  throw new Error(
    `${module} would load the toolplane in ${found}, and this is another copy of it. Start that one: npx toolplane serve.`,
  );
}

/** Returns the package directory that `import "toolplane"` resolves to from a file. */
function installedFor(file: string): string | undefined {
  try {
    return realpathSync(dirname(createRequire(file).resolve("toolplane/package.json")));
  } catch {
    return undefined;
  }
}
