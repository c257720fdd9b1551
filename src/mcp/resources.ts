import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { PROBLEMS, type ProblemCode } from "../contract/problem.ts";

/** Resources that explain the errors of the tools. */

const ALL = "toolplane://problems";
const MARKDOWN = "text/markdown";

export const RESOURCES: readonly Resource[] = [
  {
    uri: ALL,
    name: "problems",
    title: "What each error means",
    description: "Every error that a tool can answer with, and what to do about it.",
    mimeType: MARKDOWN,
  },
];

export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: `${ALL}/{error}`,
    name: "problem",
    title: "What one error means",
    description: "Of the error in brackets of a tool's answer, such as rate_limited.",
    mimeType: MARKDOWN,
  },
];

/** Returns the text of a resource. Throws `ResourceNotFoundError` if it does not exist. */
export function readResource(uri: string): ReadResourceResult {
  const text = uri === ALL ? Object.keys(PROBLEMS).map(describe).join("\n") : described(uri);
  if (text === undefined)
    throw new ResourceNotFoundError(uri, `There is no resource "${uri.slice(0, 256)}".`);
  return { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

function described(uri: string): string | undefined {
  const code = uri.startsWith(`${ALL}/`) ? uri.slice(ALL.length + 1) : "";
  return Object.hasOwn(PROBLEMS, code) ? describe(code) : undefined;
}

function describe(code: string): string {
  const { status, title, remedy } = PROBLEMS[code as ProblemCode];
  return `## ${code}\n\n${title} (HTTP ${status}). ${remedy}\n`;
}
