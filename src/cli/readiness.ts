export interface Readiness {
  ready: boolean;
  /** Follows the server's name in a sentence. */
  detail: string;
}

const ASK_MS = 4_000;
/** In characters. */
const MAX_READ = 1_000;

/** Asks a server whether it reads and writes: without a credential, so that it needs no trust. */
export async function readinessOf(url: string): Promise<Readiness> {
  try {
    const answer = await fetch(`${url}/ready`, { redirect: "error", signal: AbortSignal.timeout(ASK_MS) });
    if (answer.ok) {
      await answer.body?.cancel();
      return { ready: true, detail: "is ready" };
    }
    const { read, write } = await ablenessIn(answer);
    const isReadOnly = read === true && write === false;
    return {
      ready: false,
      detail: isReadOnly ? "reads, writes nothing" : `answers ${answer.status} to /ready`,
    };
  } catch {
    return { ready: false, detail: "does not answer" };
  }
}

/** Returns the abilities in the answer; none if another kind of server answers, perhaps without end. */
async function ablenessIn({ body }: Response): Promise<{ read?: unknown; write?: unknown }> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const piece of body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > MAX_READ) return {};
    }
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
