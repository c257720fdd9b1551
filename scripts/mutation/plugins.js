import { createHash } from "node:crypto";
import { relative } from "node:path";
import {
  commonTokens,
  declareClassPlugin,
  declareValuePlugin,
  PluginKind,
  tokens,
} from "@stryker-mutator/api/plugin";

/**
 * Lets a sample of the mutants through: `sampling.size` at most, the same for the same `sampling.seed` and
 * sources. It has to see all of them at once, so it works in one process only.
 */
class Sample {
  static inject = tokens(commonTokens.options);
  drawn = new Set();

  constructor({ sampling }) {
    this.sampling = sampling;
  }

  async init() {}

  async group(mutants) {
    const { size, seed } = this.sampling;
    const shuffled = mutants
      .map((mutant) => ({ id: mutant.id, rank: rankOf(mutant, seed) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1));
    this.drawn = new Set(shuffled.slice(0, size).map(({ id }) => id));
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    const left = { status: "compileError", reason: "not in the sample" };
    return Object.fromEntries(
      mutants.map(({ id }) => [id, this.drawn.has(id) ? { status: "passed" } : left]),
    );
  }
}

function rankOf({ fileName, mutatorName, replacement, location }, seed) {
  const identity = [seed, relative(process.cwd(), fileName), mutatorName, replacement, location];
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex");
}

/** A test of how a sentence is worded would only repeat it. */
const prose = {
  shouldIgnore(path) {
    let text = "";
    if (path.isStringLiteral()) text = path.node.value;
    if (path.isTemplateLiteral()) text = path.node.quasis.map(({ value }) => value.cooked).join("x");
    return /\s/.test(text) && /[.?!:]$/.test(text) ? "prose" : undefined;
  },
};

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Checker, "sample", Sample),
  declareValuePlugin(PluginKind.Ignore, "prose", prose),
];
