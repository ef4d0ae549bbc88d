import type { HomeInput } from "../../transcripts/home-folder.ts";
import { claudeSources } from "./claude/sources.ts";
import { codexSources } from "./codex/sources.ts";
import { copilotSources } from "./copilot/sources.ts";
import type { FoundSources } from "./found-sources.ts";
import { geminiSources } from "./gemini/sources.ts";

/** Finds every agent's files with usage data. */
export function sourceFinder(input: HomeInput): () => FoundSources {
  const finders = [claudeSources, codexSources, copilotSources, geminiSources].map((agent) => agent(input));
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
