import type { Log } from "../../../system/log.ts";
import type { Measure, Served } from "./traffic.ts";

/** The view of a running server. */
export interface ServeView {
  listening(server: {
    url: string;
    signInUrl?: string;
    localSecret?: string;
    where: string;
    measure: Measure;
  }): void;
  served(request: Served): void;
  /** The log for warnings. */
  log: Log;
  stopping(): void;
  end(): void;
}
