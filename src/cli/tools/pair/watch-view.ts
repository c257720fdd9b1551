import type { ReceivedEvent } from "../../../client/event-parser.ts";
import type { Change, Session } from "./roles.ts";

/** What is seen of a session while it is followed. */
export interface WatchView {
  /** Who takes part, and whether it goes on. */
  session(session: Session): void;
  /** A change, and the file as it was before it. */
  change(before: string, change: Change): void;
  /** Every event as it came, for programs. */
  received(event: ReceivedEvent): void;
  /** The connection is lost, or was; in a sentence. */
  trouble(message: string): void;
  end(): void;
}
