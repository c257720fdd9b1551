import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** Calls that go on behind their answer: the extension of SEP-2663, for revision 2026-07-28 alone. */
export const TASKS = "io.modelcontextprotocol/tasks";

/** As clients see it. `result` of one that is completed, `error` of one that failed. */
export interface Task {
  taskId: string;
  status: "working" | "completed" | "failed" | "cancelled";
  statusMessage?: string;
  /** ISO 8601. */
  createdAt: string;
  lastUpdatedAt: string;
  /** From its creation until it is forgotten. */
  ttlMs: number;
  pollIntervalMs: number;
  result?: unknown;
  error?: { code: number; message: string };
}

/** The tasks of one caller. */
export interface TaskPorts {
  get(taskId: string): Promise<Task | undefined>;
  /** False where there is no such task. */
  cancel(taskId: string): Promise<boolean>;
}

/**
 * The SDK knows these methods of an earlier revision, in which they were others, and refuses them in this one:
 * they reach their handlers under names of ours.
 */
const OWN_NAME = "toolplane/";
const METHODS = new Set(["tasks/get", "tasks/update", "tasks/cancel"]);

/** The name under which the SDK lets a method through, where that is another. */
export function ownNameOf(method: string): string | undefined {
  return METHODS.has(method) ? OWN_NAME + method : undefined;
}

/** Such a name is no client's to use. */
export function isOwnName(method: string): boolean {
  return method.startsWith(OWN_NAME);
}

/** Whether the client of a request takes a task in place of an answer. */
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
  // No task of ours asks for anything, so that there is nothing to take from an update.
  on("tasks/update", async (taskId) => ((await get(taskId)) ? {} : undefined));
}
