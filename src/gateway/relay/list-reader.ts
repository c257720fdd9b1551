import type { Log } from "../../system/log.ts";
import { wordsOf } from "../calls/call.ts";
import type { ToolNames } from "../calls/tool-names.ts";
import type { Gates, Rights } from "../gates.ts";
import type { Message, MessageId } from "../message.ts";
import { RPC } from "../rpc.ts";
import { UpstreamFailure } from "../upstreams/upstream-port.ts";
import { type Reader, tooLong } from "./relay.ts";

/** Creates a reader that removes from an upstream's list what the plan lacks. */
export function listReader(
  { id, method }: Message,
  {
    gates,
    rights,
    names,
    title,
    log,
  }: { gates: Gates; rights: Rights; names: ToolNames; title: string; log: Log },
): Reader {
  return {
    id: id as MessageId,
    async read(response) {
      if ("error" in response) return undefined;
      const { result } = response;
      if (method === "tools/list") {
        await names.note(result).catch((err) => log.warn({ err }, "names of tools were not kept"));
      }
      const filtered = await gates.filter(method, result, rights);
      return filtered === result ? undefined : { result: filtered };
    },
    async tooLong() {
      if (gates.filters(method, rights)) throw tooLong(title);
    },
    async ended(resumable) {
      if (resumable) return undefined;
      throw new UpstreamFailure("malformed", `${title} ended its answer before there was one.`);
    },
    failed: async (error) => ({ error: { code: RPC.internal, message: wordsOf(error, log) } }),
  };
}
