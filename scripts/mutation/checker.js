import { CheckStatus } from "@stryker-mutator/api/check";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";

/**
 * Passes only the mutants whose `identityOf` is in the option `sample`. Stryker is given places, and makes every
 * mutant that lies within one. Plain JavaScript, since Stryker loads it in a process of its own.
 */
class SampleChecker {
  static inject = tokens(commonTokens.options);

  constructor({ sample }) {
    this.sample = new Set(sample);
  }

  async init() {}

  async check(mutants) {
    const left = { status: CheckStatus.CompileError, reason: "not in the sample" };
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        this.sample.has(identityOf(mutant)) ? { status: CheckStatus.Passed } : left,
      ]),
    );
  }
}

export function identityOf({ fileName, mutatorName, replacement, location: { start, end } }) {
  const place = [start.line, start.column, end.line, end.column];
  return JSON.stringify([fileName, place, mutatorName, replacement]);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, "sample", SampleChecker)];
