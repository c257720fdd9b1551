import type { Log } from "../../../system/log.ts";
import type { Measure, Served } from "./traffic.ts";

/** What is seen of a server while it runs. */
export interface ServeView {
  listening(server: {
    url: string;
    signInUrl?: string;
    localSecret?: string;
    where: string;
    measure: Measure;
  }): void;
  served(request: Served): void;
  /** Where warnings go. */
  log: Log;
  stopping(): void;
  end(): void;
}
