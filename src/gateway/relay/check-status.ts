import { UpstreamFailure } from "../upstreams/upstream-port.ts";

/** Throws for the statuses of an upstream that are not for its clients: refusals of this server, redirects, failures. */
export function checkStatus(status: number, location: string | undefined, title: string): void {
  if (status === 401 || status === 403) {
    throw new UpstreamFailure("refused", `${title} does not accept this server's requests (${status}).`);
  }
  if (status >= 300 && status < 400) {
    const words = `${title} redirects its requests (${status}), which are not sent elsewhere. Its operator has to give the address that it redirects to.`;
    // Addresses are for the operator's log alone.
    const cause = new Error(`It redirects to ${String(location).slice(0, 512)}`);
    throw new UpstreamFailure("malformed", words, { cause });
  }
  if (status >= 500) throw new UpstreamFailure("malformed", `${title} failed with the status ${status}.`);
}
