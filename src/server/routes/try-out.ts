import type { Method } from "../../contract/endpoint.ts";
import type { TryOut } from "../../web/reference/routes.ts";
import type { AskInside } from "../operations/inner-request.ts";
import type { Answer } from "../pipeline/answer.ts";

/** How much of an answer a page shows. */
const MAX_BYTES = 64 * 1024;

/** Returns a function that sends requests from the API reference on behalf of its reader. */
export function tryOut(askInside: AskInside): TryOut {
  return async ({ exchange }, { method, body, ...asked }) => {
    if (!exchange) throw new Error("the pages are mounted without the kernel before them");
    const answer = await askInside(exchange, { ...asked, method: method as Method, body: Buffer.from(body) });
    const { status, headers } = answer;
    return { status, headers, text: readable(await textOf(answer)) };
  };
}

async function textOf({ body = "" }: Answer): Promise<{ text: string; isWhole: boolean }> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of typeof body === "string" || Buffer.isBuffer(body) ? [body] : body) {
    pieces.push(Buffer.from(piece));
    length += pieces.at(-1)?.length ?? 0;
    if (length > MAX_BYTES) break;
  }
  return { text: Buffer.concat(pieces).subarray(0, MAX_BYTES).toString(), isWhole: length <= MAX_BYTES };
}

function readable({ text, isWhole }: { text: string; isWhole: boolean }): string {
  if (!isWhole) return `${text}\n… (cut off here: the page shows ${MAX_BYTES / 1024} KiB)`;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
