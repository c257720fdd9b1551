import type { ControlPlane, ServerOptions } from "./control-plane.ts";
import { assembleServer } from "./starting/assemble.ts";
import { checkOptions } from "./starting/check-options.ts";

/**
 * Creates the whole control plane, which can listen by itself or be mounted in another server. Rejects with a
 * user-facing `Error` if the options contradict each other or the store cannot be opened.
 */
export async function createServer(options: ServerOptions = {}): Promise<ControlPlane> {
  checkOptions(options);
  return assembleServer(options);
}
