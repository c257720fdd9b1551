import { Problem } from "../../contract/problem.ts";
import type { Outcome } from "../../mcp/outcome.ts";
import type { RepositoryTool } from "../../mcp/repository-tools.ts";
import type { Call } from "../../mcp/tool-calls.ts";
import { createTurns } from "../../system/turns.ts";
import { askTool } from "../ask-tool.ts";
import type { Context } from "../context.ts";
import { filesOf } from "../tools/context/repository-files.ts";
import { impactHere } from "../tools/graph/impact.ts";

type Given = Call["given"];
type Answer = (context: Context, given: Given, signal: AbortSignal) => Promise<unknown>;

/** The handlers of the tools that search this repository. They throw as the commands do. */
const ANSWERS: Record<RepositoryTool, Answer> = {
  async repository_locate(context, { query, limit, in: within }, signal) {
    const repository = await filesOf(context, within as string[] | undefined);
    const input = { query: query as string, limit: limit as number, segments: [] };
    const { answer } = await askTool(context, "POST /api/v1/tools/context/locate", input, {
      repository,
      signal,
    });
    return answer;
  },

  async repository_context(context, { query, maxTokens, in: within }, signal) {
    const repository = await filesOf(context, within as string[] | undefined);
    const input = {
      query: query as string,
      budget: { maxTokens: maxTokens as number },
      segments: [],
      headings: true,
    };
    const { answer } = await askTool(context, "POST /api/v1/tools/context/optimize", input, {
      repository,
      signal,
    });
    return { text: answer.text ?? "", tokens: answer.tokens.after };
  },

  async repository_impact(context, { file, limit }) {
    const { entities, counts, leftOut, notFollowed, testCommands, ...about } = await impactHere(
      context,
      file as string | undefined,
    );
    const files = entities
      .slice(0, limit as number)
      .map(({ file, test, distance }) => ({ file, test, distance }));
    return {
      ...("changed" in about && { changed: about.changed?.map(({ name }) => name) }),
      files,
      left: entities.length - files.length,
      byDistance: counts,
      leftOut: { absent: leftOut.absent.length },
      notFollowed,
      testCommands,
    };
  },
};

/** Calls at a time, each of which may read the whole repository: an agent may send a dozen at once. */
const MAX_RUNNING = 2;
const MAX_WAITING = 256;
const turns = createTurns({
  maxRunning: MAX_RUNNING,
  maxOfOne: MAX_RUNNING,
  maxWaiting: MAX_WAITING,
  refusal: () =>
    new Problem("overloaded", `${MAX_WAITING} calls are waiting. Wait for some of their answers.`),
});

export async function answerInRepository(context: Context, { tool, given, signal }: Call): Promise<Outcome> {
  const answer = ANSWERS[tool.name as RepositoryTool];
  // Parsing fills in the defaults of members that the agent left out.
  const input = tool.input.parse(given);
  return turns.run("", async () => {
    signal.throwIfAborted();
    return { text: JSON.stringify(await answer(context, input, signal)) };
  });
}
