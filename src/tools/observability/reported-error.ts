import type { StackPlace } from "./documents.ts";
import type { Source } from "./groups/contract.ts";

/** One call of a stack, as far as it is known. */
export interface Frame {
  function?: string | undefined;
  file?: string | undefined;
  /** The class, module or package that the function is in. */
  module?: string | undefined;
  /** The same, or what stands for it, if its name is the same in each build. */
  owner?: string | undefined;
  /** Whether it is the program's own code rather than a dependency's. */
  inApp: boolean;
}

/** What led to an error that was thrown, or one of several errors that it stands for. */
export interface Cause {
  type: string;
  message: string;
  frames: readonly Frame[];
  /** Index in `calls` of the first of its frames. */
  from: number;
}

/** An error as it was reported. */
export interface ReportedError {
  source: Source;
  type: string;
  message: string;
  /** What to group by in place of the message, such as `order %s failed` without its values. */
  template?: string | undefined;
  /** The innermost call first. */
  frames: readonly Frame[];
  causes?: readonly Cause[] | undefined;
  at: number;
  stack?: string | undefined;
  /** Instead of `stack`: a line for each call, and below those of the causes. */
  calls?: readonly string[] | undefined;
  places?: readonly StackPlace[] | undefined;
  route?: string | undefined;
  traceId?: string | undefined;
  eventId?: string | undefined;
  release?: string | undefined;
  environment?: string | undefined;
  tags?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Identifies the affected user. */
  user?: string | undefined;
  /** The grouping that the reporter asks for. `{{ default }}` stands for the default one. */
  grouping?: readonly string[] | undefined;
}
