import path from "node:path";
import { isSamePath } from "../../base/paths.ts";
import { agents, type SessionRoot } from "../../transcripts/agents.ts";
import type { UsageReader } from "../../transcripts/usage-reader.ts";
import type { CollectTask } from "./collecting.ts";
import { type FoundSources, nothingRead, type Source } from "./collect-source.ts";
import { recordSources } from "./records/sources.ts";
import { type TranscriptFile, findTranscripts, FlatSubagents } from "../../transcripts/claude.ts";
import { claudeEntries } from "./claude/claude-entries.ts";
import { LineSource } from "./line-source.ts";

interface FollowedAgent {
  readonly name: SessionRoot["agent"];
  readonly roots: readonly string[];
  /** Null for Claude Code. */
  readonly reader: UsageReader | null;
}

export class SourceFinder {
  readonly #agents: readonly FollowedAgent[];
  readonly #finders: (() => FoundSources)[];
  readonly #roots: SessionRoot[];

  constructor(followed: readonly FollowedAgent[]) {
    this.#agents = followed;
    this.#roots = followed.flatMap(({ name, roots }) => roots.map((path) => ({ agent: name, path })));
    this.#finders = followed.map(({ reader, roots }) => finderOf(reader, roots));
  }

  find(): FoundSources {
    const found = this.#finders.map((find) => find());
    return {
      sources: found.flatMap(({ sources }) => sources),
      areas: found.flatMap(({ areas }) => areas),
      folders: found.flatMap(({ folders }) => folders),
      problems: found.flatMap(({ problems }) => problems),
    };
  }

  /**
   * Also finds below this root, with its own finder: the state of the others is unchanged. Returns false for a known
   * root, under any name.
   */
  add(root: SessionRoot): boolean {
    const agent = this.#agents.find(({ name }) => name === root.agent);
    const isKnown = this.#roots.some((each) => each.agent === root.agent && isSamePath(each.path, root.path));
    if (agent === undefined || isKnown) return false;
    this.#roots.push(root);
    this.#finders.push(finderOf(agent.reader, [root.path]));
    return true;
  }
}

function finderOf(reader: UsageReader | null, roots: readonly string[]): () => FoundSources {
  return reader === null ? claudeSources(roots) : recordSources(reader, roots);
}

/** Loads the agents' readers. Returns a factory of finders. */
export async function loadSourceFinder(): Promise<(task: CollectTask) => SourceFinder> {
  const readers = await Promise.all(
    agents.map(async ({ name, roots, usageReader }) => ({
      name,
      roots,
      reader: (await usageReader?.()) ?? null,
    })),
  );
  return ({ roots: addedRoots = [], ...home }) => {
    const finder = new SourceFinder(readers.map(({ roots, ...agent }) => ({ ...agent, roots: roots(home) })));
    for (const root of addedRoots) finder.add(root);
    return finder;
  };
}

function claudeSources(roots: readonly string[]): () => FoundSources {
  const flat = new FlatSubagents();
  return () => {
    const { projects, files, problems } = findTranscripts(roots);
    return {
      sources: files.map((file) => sourceOf(file, flat)),
      areas: roots.map((root) => path.join(root, "projects")),
      folders: projects,
      problems,
    };
  };
}

function sourceOf(file: TranscriptFile, flat: FlatSubagents): Source {
  const { path: filePath, size, mtimeMs, agentId } = file;
  return {
    path: filePath,
    size,
    mtimeMs,
    rest: 0,
    open(position) {
      const sessionId = file.sessionId ?? flat.attach([file], mtimeMs)[0]?.sessionId ?? null;
      // The file's first line has not been written yet.
      if (sessionId === null) return { read: () => nothingRead };
      const start = (state: string | null) => claudeEntries({ path: filePath, sessionId, agentId }, state);
      return new LineSource(filePath, { start, resumes: true }, position);
    },
  };
}
