import { statSync } from "node:fs";
import { attributedLines, type UsageReader, type RecordFile } from "../usage-reader.ts";
import { readSessions, usageRead } from "../records/read-sessions.ts";
import type { FoundFile } from "../walk-files.ts";
import { attributedRollout, type PairsOf } from "./attribution.ts";
import { countRollouts } from "./count-rollouts.ts";
import { findRollouts } from "./files.ts";
import { readRollout } from "./read-rollout-file.ts";
import { RolloutLines } from "./read-rollout.ts";
import { sessionIdOf } from "./rollout-name.ts";

/** Codex's rollouts, including compressed ones. */
export const usageReader: UsageReader = {
  finder(roots) {
    const paths = new Map<string, string>();
    const pairsOf: PairsOf = (sessionId) => {
      const file = paths.get(sessionId);
      const parent = file === undefined ? null : readRollout(file);
      if (parent?.ok !== true) return new Set();
      return new Set(parent.value.records.flatMap(({ pair }) => (pair === null ? [] : [pair])));
    };
    return () => {
      const { files, problems } = findRollouts(roots);
      for (const file of files) paths.set(sessionIdOf(file.path) ?? "", file.path);
      return { files: files.map((file) => recordFile(file, pairsOf)), areas: roots, problems };
    };
  },
  readUsage(roots) {
    const read = readSessions(findRollouts(roots), ({ path }) => readRollout(path));
    return usageRead(read, countRollouts(read.sessions));
  },
};

function recordFile(file: FoundFile, pairsOf: PairsOf): RecordFile {
  const { path } = file;
  if (path.endsWith(".zst"))
    return {
      ...file,
      lines: null,
      whole: {
        stats: () => statSync(path, { throwIfNoEntry: false }),
        read: () => {
          const rollout = readRollout(path);
          return rollout.ok ? { ok: true, value: attributedRollout(rollout.value, pairsOf) } : rollout;
        },
      },
    };
  return {
    ...file,
    lines: () => {
      const held = cachedPairs(pairsOf);
      return attributedLines(new RolloutLines(sessionIdOf(path) ?? ""), (session) =>
        attributedRollout(session, held),
      );
    },
    whole: null,
  };
}

/** A file's lines repeated from its parent come before all others: reading the parent once per file is enough. */
function cachedPairs(pairsOf: PairsOf): PairsOf {
  const held = new Map<string, ReadonlySet<string>>();
  return (sessionId) => {
    const pairs = held.get(sessionId) ?? pairsOf(sessionId);
    held.set(sessionId, pairs);
    return pairs;
  };
}
