import { UnexpectedAnswer, Unreachable } from "../client/errors.ts";
import { createTransport } from "../client/transport/http-transport.ts";

export interface Readiness {
  ready: boolean;
  /** Follows the server's name in a sentence. */
  detail: string;
}

const ASK_MS = 4_000;
const MAX_BYTES = 1_000;
const NO_ANSWER: Readiness = { ready: false, detail: "does not answer" };

/** Asks a server whether it reads and writes: without a credential, so that it needs no trust. */
export async function readinessOf(baseUrl: string): Promise<Readiness> {
  try {
    const { status, body } = await ask(new URL(`${baseUrl}/ready`));
    if (status === 200) return { ready: true, detail: "is ready" };
    // A redirect comes from another kind of server.
    if (status >= 300 && status < 400) return NO_ANSWER;
    const { read, write } = ablenessIn(body);
    const isReadOnly = read === true && write === false;
    return {
      ready: false,
      detail: isReadOnly ? "reads, writes nothing" : `answers ${status} to /ready`,
    };
  } catch (error) {
    if (!(error instanceof Unreachable)) return NO_ANSWER;
    return { ready: false, detail: `${NO_ANSWER.detail}: ${error.reason}` };
  }
}

/** Returns the status, and the body unless another kind of server answers at length, perhaps without end. */
async function ask(url: URL): Promise<{ status: number; body?: Buffer }> {
  const transport = createTransport();
  const signal = AbortSignal.timeout(ASK_MS);
  try {
    const request = { method: "GET", url, headers: {}, timeoutMs: ASK_MS, maxBytes: MAX_BYTES, signal };
    return await transport.send(request);
  } catch (error) {
    if (error instanceof UnexpectedAnswer) return { status: error.status };
    throw error;
  } finally {
    transport.close();
  }
}

/** Returns the abilities in the answer; none if another kind of server answers. */
function ablenessIn(body: Buffer | undefined): { read?: unknown; write?: unknown } {
  try {
    return Object(JSON.parse(String(body)));
  } catch {
    return {};
  }
}
