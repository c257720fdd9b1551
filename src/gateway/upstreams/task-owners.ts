import { Recent } from "../../system/lately.ts";
import { isObject, type Message } from "../message.ts";
import { errorText, RPC } from "../rpc.ts";
import { textAnswer } from "./stdio-answers.ts";
import type { UpstreamAnswer } from "./upstream-port.ts";

/**
 * Whose the tasks of a program are. It takes all its clients for one and would tell each of everybody's
 * (MCP 2025-11-25, Tasks, Task Isolation and Access Control).
 */
export interface TaskOwners {
  /** The answer to who asks about a task that is not theirs; undefined where the request may go on. */
  refused(message: Message, owner: string): UpstreamAnswer | undefined;
  /** The result of a method as its client may see it: a task that it begins is theirs from then on. */
  seen(method: string, result: Record<string, unknown>, owner: string): Record<string, unknown>;
  /** The program is another, whose tasks may bear the same ids. */
  forget(): void;
}

const ABOUT_ONE = ["tasks/get", "tasks/result", "tasks/cancel", "tasks/update"];
const MAX_OWNERS = 1000;
/** Of one owner: whoever begins more loses sight of their own. */
const MAX_TASKS = 100;

export function createTaskOwners(): TaskOwners {
  const begun = new Recent<string, Recent<unknown, true>>(MAX_OWNERS);
  const isOf = (owner: string, taskId: unknown) => begun.get(owner)?.has(taskId) ?? false;

  return {
    refused({ id, method, params }, owner) {
      if (!ABOUT_ONE.includes(method) || isOf(owner, params.taskId)) return undefined;
      const message = "There is no such task: it was another client's, or is forgotten.";
      return textAnswer(200, errorText(id, { code: RPC.invalidParams, message }));
    },
    seen(method, result, owner) {
      if (method === "tasks/list" && Array.isArray(result.tasks)) {
        const own = result.tasks.filter((task) => isObject(task) && isOf(owner, task.taskId));
        return { ...result, tasks: own };
      }
      const taskId = method === "tools/call" ? begunBy(result) : undefined;
      if (taskId !== undefined) {
        const own = begun.get(owner) ?? new Recent<unknown, true>(MAX_TASKS);
        begun.set(owner, own.set(taskId, true));
      }
      return result;
    },
    forget: () => begun.clear(),
  };
}

/** Of 2025-11-25, and of the extension of 2026-07-28. */
function begunBy({ task, resultType, taskId }: Record<string, unknown>): unknown {
  if (isObject(task)) return task.taskId;
  return resultType === "task" ? taskId : undefined;
}
