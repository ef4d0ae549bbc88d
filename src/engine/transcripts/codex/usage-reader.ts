import { statSync } from "node:fs";
import { attributedLines, type UsageReader, type RecordFile } from "../usage-reader.ts";
import { readSessions, usageRead } from "../records/read-sessions.ts";
import type { FoundFile } from "../walk-files.ts";
import { attributedRollout, pairsOfRollouts, readRollout } from "./codex-attribution.ts";
import { countRollouts } from "../codex.ts";
import { findRollouts, sessionIdOf } from "./codex-files.ts";
import { RolloutLines } from "./read-rollout.ts";

export const usageReader: UsageReader = {
  finder(roots) {
    let paths = new Map<string, string[]>();
    const filesOf = (sessionId: string) => paths.get(sessionId) ?? [];
    return () => {
      const { files, problems } = findRollouts(roots);
      paths = new Map();
      for (const file of files) {
        const id = sessionIdOf(file.path) ?? "";
        paths.set(id, [...(paths.get(id) ?? []), file.path]);
      }
      return { files: files.map((file) => recordFile(file, filesOf)), areas: roots, problems };
    };
  },
  readUsage(roots) {
    const read = readSessions(findRollouts(roots), ({ path }) => readRollout(path));
    return usageRead(read, countRollouts(read.sessions));
  },
};

function recordFile(file: FoundFile, filesOf: (sessionId: string) => readonly string[]): RecordFile {
  const { path } = file;
  if (path.endsWith(".zst"))
    return {
      ...file,
      lines: null,
      whole: {
        stats: () => statSync(path, { throwIfNoEntry: false }),
        read: () => {
          const rollout = readRollout(path);
          return rollout.ok
            ? { ok: true, value: attributedRollout(rollout.value, pairsOfRollouts(filesOf)) }
            : rollout;
        },
      },
    };
  return {
    ...file,
    lines: () => {
      const held = pairsOfRollouts(filesOf);
      return attributedLines(new RolloutLines(sessionIdOf(path) ?? ""), (session) =>
        attributedRollout(session, held),
      );
    },
    whole: null,
  };
}
