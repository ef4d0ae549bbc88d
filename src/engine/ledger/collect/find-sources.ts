import { agents } from "../../transcripts/agents.ts";
import type { HomeInput } from "../../transcripts/home-folder.ts";
import { recordAdapters } from "../../transcripts/records/registry.ts";
import { claudeSources } from "./claude/sources.ts";
import type { FoundSources } from "./found-sources.ts";
import { recordSources } from "./records/sources.ts";

/** Returns a finder of every agent's files with usage data. */
export function sourceFinder(input: HomeInput): () => FoundSources {
  const finders = agents.map(({ name, roots }) => {
    const adapter = recordAdapters[name];
    return adapter === null ? claudeSources(roots(input)) : recordSources(adapter, roots(input));
  });
  return () => {
    const found = finders.map((find) => find());
    return {
      sources: found.flatMap(({ sources }) => sources),
      areas: found.flatMap(({ areas }) => areas),
      folders: found.flatMap(({ folders }) => folders),
      problems: found.flatMap(({ problems }) => problems),
    };
  };
}
