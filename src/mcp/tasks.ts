import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";

/** The extension for calls that continue after their answer (SEP-2663), in revision 2026-07-28 only. */
export const TASKS = "io.modelcontextprotocol/tasks";

/** A task as sent to clients. Has `result` if completed, `error` if failed. */
export interface Task {
  taskId: string;
  status: "working" | "completed" | "failed" | "cancelled";
  statusMessage?: string;
  /** ISO 8601. */
  createdAt: string;
  lastUpdatedAt: string;
  /** Time from creation to deletion, in milliseconds. */
  ttlMs: number;
  pollIntervalMs: number;
  result?: unknown;
  error?: { code: number; message: string };
}

/** The tasks of one caller. */
export interface TaskPorts {
  get(taskId: string): Promise<Task | undefined>;
  /** Resolves with false if the task does not exist. */
  cancel(taskId: string): Promise<boolean>;
}

/**
 * The SDK knows these methods only with the different meaning of an earlier revision, and refuses them in this one. A
 * prefix passes them through to their handlers.
 */
const OWN_NAME = "toolplane/";
const METHODS = new Set(["tasks/get", "tasks/update", "tasks/cancel"]);

/** Returns the prefixed name of a task method; undefined for other methods. */
export function ownNameOf(method: string): string | undefined {
  return METHODS.has(method) ? OWN_NAME + method : undefined;
}

/** Whether a method has the internal prefix, which clients must not use. */
export function isOwnName(method: string): boolean {
  return method.startsWith(OWN_NAME);
}

/** Whether the client of a request accepts a task in place of an answer. */
export function takesTasks({ envelope }: ServerContext["mcpReq"]): boolean {
  const declared = (envelope as Record<string, ClientCapabilities> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  return declared?.extensions?.[TASKS] !== undefined;
}

const Params = z.looseObject({ taskId: z.unknown() });

export function serveTasks(server: Server, { get, cancel }: TaskPorts): void {
  function on(method: string, answer: (taskId: string) => Promise<Task | object | undefined>): void {
    server.setRequestHandler(OWN_NAME + method, { params: Params }, async ({ taskId }, { mcpReq }) => {
      if (!takesTasks(mcpReq)) {
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS]: {} } },
        });
      }
      const found = typeof taskId === "string" ? await answer(taskId) : undefined;
      if (found) return { ...found };
      const message = "There is no such task: it was another caller's, or is forgotten.";
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    });
  }

  on("tasks/get", get);
  on("tasks/cancel", async (taskId) => ((await cancel(taskId)) ? {} : undefined));
  // Tasks never request input, so an update contains nothing to process.
  on("tasks/update", async (taskId) => ((await get(taskId)) ? {} : undefined));
}
