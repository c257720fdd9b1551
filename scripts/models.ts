/**
 * Writes src/tools/models/catalogue/catalogue.json from a clone of models.dev (MIT), as of the commit that is its HEAD:
 *   git clone --depth 1 https://github.com/anomalyco/models.dev && npx tsx scripts/models.ts models.dev
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type TomlTable } from "smol-toml";
import { ModelsDevModel, modelFrom } from "../src/tools/models/catalogue/models-dev.ts";

/** Makers of models, and a few hosts of open ones. */
const PROVIDERS = [
  "alibaba",
  "anthropic",
  "cerebras",
  "cohere",
  "deepseek",
  "google",
  "groq",
  "minimax",
  "mistral",
  "moonshotai",
  "openai",
  "perplexity",
  "xai",
  "zai",
];

const REPOSITORY = "https://github.com/anomalyco/models.dev";

const [clone] = process.argv.slice(2);
if (clone === undefined) throw new Error("Name the directory of a clone of models.dev.");

const git = (...words: string[]) =>
  execFileSync("git", ["-C", clone, ...words], { encoding: "utf8", maxBuffer: 1 << 28 });
const commit = git("rev-parse", "HEAD").trim();
const files = git("ls-tree", "-r", "--name-only", "HEAD").split("\n");
const tomlIn = (path: string) => parse(git("show", `HEAD:${path}`));

const models = PROVIDERS.flatMap((provider) => {
  const folder = `providers/${provider}/models/`;
  return files
    .filter((path) => path.startsWith(folder) && path.endsWith(".toml"))
    .map((path) => {
      const id = path.slice(folder.length, -".toml".length);
      const described = { ...inherited(path), provider, id };
      return modelFrom(ModelsDevModel.parse(described), `${REPOSITORY}/blob/${commit.slice(0, 12)}/${path}`);
    })
    .filter(({ status }) => status !== "deprecated");
});

const catalogue = {
  date: git("show", "-s", "--format=%cs", "HEAD").trim(),
  source: { name: "models.dev", url: `${REPOSITORY}/tree/${commit}`, licence: "MIT", notice: licence() },
  models,
};
const file = join(import.meta.dirname, "../src/tools/models/catalogue/catalogue.json");
writeFileSync(file, JSON.stringify(catalogue));
execFileSync("npx", ["biome", "format", "--write", file], { stdio: "inherit" });
console.log(`${models.length} models as of ${catalogue.date}`);

/** Reads a provider's file, with the fields that it leaves out taken from the model's own file. */
function inherited(path: string): TomlTable {
  const { base_model: base, ...own } = tomlIn(path);
  if (typeof base !== "string") return own;
  const general = inherited(`models/${base}.toml`);
  const limit = { ...(general.limit as TomlTable), ...(own.limit as TomlTable) };
  return { ...general, ...own, limit };
}

/** Returns the licence text, which every copy must include. */
function licence(): string {
  return git("show", "HEAD:LICENSE").trim().replaceAll(/\s+/g, " ");
}
