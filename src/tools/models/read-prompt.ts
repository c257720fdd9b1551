import { loadTokenizer } from "../../text/tokens/tokenizer.ts";
import { type Difficulty, difficultyOf } from "./difficulty.ts";

export interface PromptReading {
  tokens: number;
  difficulty: Difficulty;
}

/** Pure, but for what it loads once. By OpenAI's encoding; other makers' count a little differently. */
export async function readPrompt(prompt: string): Promise<PromptReading> {
  const tokenizer = await loadTokenizer("o200k_base");
  return { tokens: tokenizer.count(prompt), difficulty: difficultyOf(prompt) };
}
