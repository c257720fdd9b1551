import { ProviderFault } from "./provider.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 512 * 1024;

/** Fetches with a timeout and a limit on the response's size. Does not follow redirects. */
export async function boundedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).length;
    if (length > MAX_BYTES) throw new ProviderFault("Its answer is longer than any that is in order.");
    chunks.push(chunk as Uint8Array);
  }
  const { status, statusText, headers } = response;
  const body = [101, 204, 205, 304].includes(status) ? null : Buffer.concat(chunks);
  // The body is already decoded, so these headers do not apply to it.
  const read = new Headers(headers);
  read.delete("content-encoding");
  read.delete("content-length");
  return new Response(body, { status, statusText, headers: read });
}
