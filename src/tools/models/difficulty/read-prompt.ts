import { loadTokenizer } from "../../../text/tokens/tokenizer.ts";
import { type Difficulty, difficultyOf } from "./difficulty.ts";

export interface PromptReading {
  tokens: number;
  difficulty: Difficulty;
}

/**
 * Counts the tokens of a prompt and rates its difficulty. The encoding is OpenAI's; those of other makers
 * count slightly differently.
 */
export async function readPrompt(prompt: string): Promise<PromptReading> {
  const tokenizer = await loadTokenizer("o200k_base");
  return { tokens: tokenizer.count(prompt), difficulty: difficultyOf(prompt) };
}
