import { checked } from "../../contract/faults.ts";
import { readerOf } from "../../repository/files/read-file.ts";
import { contextOptimizerContract, type Segment } from "../../tools/context-optimizer/contract.ts";
import { kindsOf } from "../../tools/context-optimizer/kinds.ts";
import { optimize } from "../../tools/context-optimizer/optimize.ts";
import { locateAmong } from "../../tools/context-optimizer/retrieval/locate.ts";
import type { SearchedFile } from "../../tools/context-optimizer/retrieval/searched-file.ts";
import { isTemplate, withoutTemplateText } from "../../tools/context-optimizer/retrieval/template-text.ts";
import { searchedFile } from "../../tools/context-optimizer/retrieval/whole-pieces.ts";
import { worthReading } from "../../tools/context-optimizer/retrieval/worth-reading.ts";
import { type RepositoryFiles, searchedRepository } from "./searched-repository.ts";

const { locate: located, optimize: optimized } = contextOptimizerContract;
const Located = located.input.extend({ segments: optimized.input.shape.segments });

type Answer = (input: unknown, repository: RepositoryFiles) => unknown;

/**
 * Handlers by route for questions about a local repository. Its files are searched as if they were sent as segments,
 * before the segments in the input.
 */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  [`${located.method} ${located.path}`]: (input, repository) => {
    const { query, limit, segments = [] } = checked(Located, input);
    const searched = [...searchedRepository(repository), ...searchedSegments(segments)];
    return locateAmong(searched, withoutTemplateText(query, templatesOf(repository)), limit);
  },

  [`${optimized.method} ${optimized.path}`]: (input, repository) => {
    const asked = checked(optimized.input, { segments: [], ...(input as object) });
    const { budget, segments: given = [] } = asked;
    const query = withoutTemplateText(asked.query ?? "", templatesOf(repository));
    const isNarrow = "maxTokens" in budget && query.trim() !== "";
    if (!isNarrow) {
      const all = repository.files.flatMap(({ id }) => (id === undefined ? [] : [id]));
      return optimize({ ...asked, segments: [...segmentsOf(repository, all), ...given] });
    }
    const searched = [...searchedRepository(repository), ...searchedSegments(given)];
    const { files, pieces } = worthReading(searched, query, budget.maxTokens);
    const wanted = new Set(files.map((place) => searched[place]?.path as string));
    const segments = [...segmentsOf(repository, wanted), ...given.filter(({ id }) => wanted.has(id))];
    return optimize({ ...asked, query, segments }, pieces);
  },
};

/** Returns the issue and pull request templates of the project. */
function templatesOf({ top, files }: RepositoryFiles): string[] {
  const { contents } = readerOf(top);
  return files.flatMap(({ path }) => (isTemplate(path) ? (contents(path)?.toString("utf8") ?? []) : []));
}

function searchedSegments(segments: readonly Segment[]): SearchedFile[] {
  const kinds = kindsOf(segments);
  return segments.map(({ id, content }, index) => searchedFile(id, content, kinds[index] ?? "prose"));
}

function segmentsOf({ top, files }: RepositoryFiles, ids: Iterable<string>): Segment[] {
  const { contents } = readerOf(top);
  const wanted = new Set(ids);
  return files.flatMap(({ path, id }) => {
    const content = id !== undefined && wanted.has(id) ? contents(path)?.toString("utf8") : undefined;
    return content === undefined ? [] : [{ id: id as string, content, priority: 0, pinned: false }];
  });
}
