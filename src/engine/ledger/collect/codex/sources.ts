import { statSync } from "node:fs";
import { findRollouts } from "../../../transcripts/codex/files.ts";
import { readRollout } from "../../../transcripts/codex/read-rollout-file.ts";
import { RolloutLines } from "../../../transcripts/codex/read-rollout.ts";
import { sessionIdOf } from "../../../transcripts/codex/rollout-name.ts";
import { codexRoots } from "../../../transcripts/codex/roots.ts";
import type { HomeInput } from "../../../transcripts/home-folder.ts";
import type { FoundFile } from "../../../transcripts/walk-files.ts";
import { codexEntries, type PairsOf } from "./entries.ts";
import type { FoundSources } from "../found-sources.ts";
import { LineSource } from "../line-source.ts";
import { RecordReader } from "../records/reader.ts";
import type { Source } from "../source.ts";
import { WholeSource } from "../whole-source.ts";

/** Codex's rollouts, including compressed ones. */
export function codexSources(input: HomeInput): () => FoundSources {
  const roots = codexRoots(input);
  const paths = new Map<string, string>();
  const pairsOf: PairsOf = (sessionId) => {
    const place = paths.get(sessionId);
    const parent = place === undefined ? null : readRollout(place);
    if (parent?.ok !== true) return new Set();
    return new Set(parent.value.records.flatMap(({ pair }) => (pair === null ? [] : [pair])));
  };
  return () => {
    const { files, problems } = findRollouts(roots);
    for (const file of files) paths.set(sessionIdOf(file.path) ?? "", file.path);
    return { sources: files.map((file) => sourceOf(file, pairsOf)), areas: roots, folders: [], problems };
  };
}

function sourceOf({ path: place, size, mtimeMs }: FoundFile, pairsOf: PairsOf): Source {
  const lines = () => new RolloutLines(sessionIdOf(place) ?? "");
  return {
    path: place,
    size,
    mtimeMs,
    open(position) {
      if (!place.endsWith(".zst")) {
        const held = heldPairs(pairsOf);
        const start = () => new RecordReader(lines(), (session) => codexEntries(session, held));
        return new LineSource(place, { start, resumes: false }, position);
      }
      return new WholeSource(place, {
        stats: () => statSync(place, { throwIfNoEntry: false }),
        read: () => {
          const rollout = readRollout(place);
          return rollout.ok ? { ok: true, value: codexEntries(rollout.value, pairsOf) } : rollout;
        },
      });
    },
  };
}

/** A file's lines repeated from its parent come before all others: reading the parent once per file is enough. */
function heldPairs(pairsOf: PairsOf): PairsOf {
  const held = new Map<string, ReadonlySet<string>>();
  return (sessionId) => {
    const pairs = held.get(sessionId) ?? pairsOf(sessionId);
    held.set(sessionId, pairs);
    return pairs;
  };
}
