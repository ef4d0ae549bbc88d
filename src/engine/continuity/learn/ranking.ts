import type { ResumePacket } from "../packet/packet.ts";
import { compared, keyOf, plain, type Fact } from "./fact.ts";
import type { LearnTask, SessionFold } from "./task.ts";

const mostFiles = 60;
/** A session counts half as much after this many later ones. */
const halfLife = 8;
/** Longer paths are no key. Characters. */
const longestPath = 160;

/** The files that a session worked with, as its packet ranks them. */
class WorkedWith implements SessionFold {
  add(): void {
    // The packet's story has folded the same events.
  }

  facts({ files }: ResumePacket): Fact[] {
    return files
      .filter(({ path }) => path.length <= longestPath)
      .map(({ path, turn, reads, edits }) => ({
        key: plain(path, longestPath),
        text: "",
        detail: null,
        count: reads,
        good: edits,
        turns: [turn],
      }));
  }
}

export const updateWorkingSetRanking: LearnTask = {
  name: "UpdateWorkingSetRanking",
  observe: () => new WorkedWith(),
  conclude: (sessions, project) => {
    const files = new Map<string, Ranked>();
    for (const [age, { at, facts }] of sessions.entries())
      for (const [place, { key, count, good }] of facts.entries()) {
        const known = files.get(key) ?? { weight: 0, reads: 0, edits: 0, sessions: 0, at };
        known.weight += 2 ** (-age / halfLife) / (1 + place);
        known.reads += count;
        known.edits += good;
        known.sessions += 1;
        files.set(key, known);
      }
    return [...files]
      .map(([path, { weight, ...counts }]) => ({ path, score: Math.round(1000 * weight), ...counts }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || compared(a.path, b.path))
      .slice(0, mostFiles)
      .map((file) => ({ kind: "working-set", id: keyOf(project, file.path), project, ...file }));
  },
};

interface Ranked {
  weight: number;
  reads: number;
  edits: number;
  sessions: number;
  readonly at: number | null;
}
