import type { ReceivedEvent } from "../../../client/event-parser.ts";
import type { Change, Session } from "./roles.ts";

/** The view of a session that is being followed. */
export interface WatchView {
  /** Shows the participants and the state. */
  session(session: Session): void;
  /** Shows a change; `before` is the file before it. */
  change(before: string, change: Change): void;
  /** Prints every event unchanged, for programs. */
  received(event: ReceivedEvent): void;
  /** Shows a sentence about a lost connection. */
  trouble(message: string): void;
  end(): void;
}
