import { BoundedMap } from "../../system/caching.ts";
import { isObject } from "../../system/is-object.ts";
import type { Message } from "../message.ts";
import { errorText, META, RPC } from "../rpc.ts";
import { textAnswer } from "./stdio-answers.ts";
import type { UpstreamAnswer } from "./upstream-port.ts";

/**
 * Tracks whose the tasks of a program are. The program regards all clients as one, and would show each client every
 * task (MCP 2025-11-25, Tasks, Task Isolation and Access Control).
 */
export interface TaskOwners {
  /** Returns the error for a request about somebody else's task; undefined if the request may pass. */
  refused(message: Message, owner: string): UpstreamAnswer | undefined;
  /** Returns a method's result as its client may see it. Records the client as owner of a task that it starts. */
  seen(method: string, result: Record<string, unknown>, owner: string): Record<string, unknown>;
  /** Forgets all owners, because a restarted program may reuse the ids. */
  forget(): void;
}

const ABOUT_ONE = ["tasks/get", "tasks/result", "tasks/cancel", "tasks/update"];
const MAX_OWNERS = 1000;
/** Tasks kept per owner. An owner that starts more loses access to the oldest. */
const MAX_TASKS = 100;

export function createTaskOwners(): TaskOwners {
  const begun = new BoundedMap<string, BoundedMap<unknown, true>>(MAX_OWNERS);
  const isOf = (owner: string, taskId: unknown) => begun.get(owner)?.has(taskId) ?? false;

  return {
    refused(asked, owner) {
      if (tasksOf(asked).every((taskId) => isOf(owner, taskId))) return undefined;
      const message = "There is no such task: it was another client's, or is forgotten.";
      return textAnswer(200, errorText(asked.id, { code: RPC.invalidParams, message }));
    },
    seen(method, result, owner) {
      if (method === "tasks/list" && Array.isArray(result.tasks)) {
        const own = result.tasks.filter((task) => isObject(task) && isOf(owner, task.taskId));
        return { ...result, tasks: own };
      }
      const taskId = method === "tools/call" ? begunBy(result) : undefined;
      if (taskId !== undefined) {
        const own = begun.get(owner) ?? new BoundedMap<unknown, true>(MAX_TASKS);
        begun.set(owner, own.set(taskId, true));
      }
      return result;
    },
    forget: () => begun.clear(),
  };
}

/**
 * Returns the ids of the tasks that a message refers to. What a program says to a request that is part of a task it says
 * to whoever asks for the task's result: the official SDK keeps it for that, for any id.
 */
function tasksOf({ method, params: { taskId, _meta } }: Message): unknown[] {
  const related = isObject(_meta) && META.relatedTask in _meta ? [_meta[META.relatedTask]] : [];
  return [
    ...(ABOUT_ONE.includes(method) ? [taskId] : []),
    ...related.map((task) => (isObject(task) ? task.taskId : undefined)),
  ];
}

/** Returns the id of a started task, as in 2025-11-25 or in the extension of 2026-07-28. */
function begunBy({ task, resultType, taskId }: Record<string, unknown>): unknown {
  if (isObject(task)) return task.taskId;
  return resultType === "task" ? taskId : undefined;
}
