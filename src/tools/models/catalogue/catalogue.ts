import { statSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import { faultsOf } from "../../../contract/faults.ts";
import { once } from "../../../system/caching.ts";
import { isObject } from "../../../system/is-object.ts";
import { packageRoot } from "../../../system/package.ts";
import { Model, nameOf } from "./model.ts";
import { ModelsDevModel, modelFrom } from "./models-dev.ts";
import { InvalidModels, readModelsFile } from "./models-file.ts";

const Source = z.strictObject({
  name: z.string().min(1),
  url: z.url(),
  licence: z.string().min(1),
  notice: z.string().optional(),
});

const Catalogue = z.strictObject({
  /** The date on which the source was read. */
  date: z.iso.date(),
  source: Source,
  models: z.array(Model).min(1, "must hold a model"),
});

/** The known models: those of the package, or of the file that `--models` names. */
export type Catalogue = Omit<z.infer<typeof Catalogue>, "source">;

/** A copy of `catalogue.json`. */
const PACKAGED = join(packageRoot, "dist/models.json");

/**
 * Loads the catalogue in `file`, or the package's. Reads the catalogue's own format, models.dev's
 * `api.json`, and models of models.dev as JSON Lines, each optionally gzipped. Throws `InvalidModels`.
 */
export function loadModels(file?: string): Catalogue {
  return file === undefined ? packaged() : modelsIn(file);
}

/** Servers of one process share the package's catalogue: to read and check it is a tenth of a start. */
const packaged = once(() => modelsIn(PACKAGED));

function modelsIn(file: string): Catalogue {
  const { content, lines } = readModelsFile(file);
  if (isObject(content) && "models" in content && Array.isArray(content.models))
    return ordered(file, parsed(Catalogue, content, file));
  const date = statSync(file).mtime.toISOString().slice(0, 10);
  const rows = Array.isArray(content) ? content : rowsOf(content, file);
  const models = parsed(z.array(ModelsDevModel).min(1, "must hold a model"), rows, file, lines);
  const from = (model: ModelsDevModel) => modelFrom(model, `${basename(file)}: ${nameOf(model)}`);
  return ordered(file, { date, models: models.map(from) });
}

/** Sorts models by provider and id. Throws `InvalidModels` for a duplicate. */
function ordered(file: string, { date, models }: Catalogue): Catalogue {
  const byName = new Map<string, Model>();
  for (const model of models) {
    if (byName.has(nameOf(model))) throw new InvalidModels(file, `${nameOf(model)} is there twice`);
    byName.set(nameOf(model), model);
  }
  const names = [...byName.keys()].sort();
  return { date, models: names.map((name) => byName.get(name) as Model) };
}

const MAX_FAULTS = 10;

function parsed<T>(schema: z.ZodType<T>, content: unknown, file: string, lines?: number[]): T {
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  const faults = faultsOf(result.error);
  const shown = faults
    .slice(0, MAX_FAULTS)
    .map(({ path, message }) => (path ? `${placeOf(path, lines)}: ${message}` : message));
  const more = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : "";
  throw new InvalidModels(file, shown.join("; ") + more);
}

/** Names the line of JSON Lines instead of the row's index: `2.cost.input` is `line 3: cost.input`. */
function placeOf(path: string, lines: number[] | undefined): string {
  if (!lines) return path;
  const [row, ...within] = path.split(".");
  const line = `line ${lines[Number(row)]}`;
  return within.length > 0 ? `${line}: ${within.join(".")}` : line;
}

/** Returns the models of models.dev's `api.json`, which holds them by id within providers by id. */
function rowsOf(content: unknown, file: string): unknown[] {
  const shape = 'must be { "date", "source", "models": […] }, models.dev\'s api.json, or a model a line';
  if (!isObject(content)) throw new InvalidModels(file, shape);
  // JSON Lines of a single model are a JSON document too.
  if (typeof content.id === "string") return [content];
  return Object.entries(content).flatMap(([provider, described]) => {
    if (!isObject(described) || !isObject(described.models)) throw new InvalidModels(file, shape);
    return Object.entries(described.models).map(([id, model]) =>
      isObject(model) ? { id, ...model, provider } : model,
    );
  });
}
