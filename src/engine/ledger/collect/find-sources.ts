import { agents } from "../../transcripts/agents.ts";
import type { HomeInput } from "../../transcripts/home-folder.ts";
import { claudeSources } from "./claude/sources.ts";
import type { FoundSources } from "./found-sources.ts";
import { recordSources } from "./records/sources.ts";

type SourceFinder = () => FoundSources;

/** Loads the agents' readers. Returns what makes a finder of every agent's files with usage data. */
export async function loadSourceFinder(): Promise<(input: HomeInput) => SourceFinder> {
  const readers = await Promise.all(
    agents.map(async ({ roots, usageReader }) => ({ roots, reader: (await usageReader?.()) ?? null })),
  );
  return (input) => {
    const finders = readers.map(({ roots, reader }) =>
      reader === null ? claudeSources(roots(input)) : recordSources(reader, roots(input)),
    );
    return () => {
      const found = finders.map((find) => find());
      return {
        sources: found.flatMap(({ sources }) => sources),
        areas: found.flatMap(({ areas }) => areas),
        folders: found.flatMap(({ folders }) => folders),
        problems: found.flatMap(({ problems }) => problems),
      };
    };
  };
}
