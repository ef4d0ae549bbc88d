import { writeFileSync } from "node:fs";
import path from "node:path";
import { Pace, type LearnStore, type TaskName } from "../../../../src/engine/continuity/learn/task.ts";
import type { LearnFile } from "../../../../src/engine/continuity/learn/past-sessions.ts";
import { learn, type LearnPorts } from "../../../../src/engine/continuity/learn/run-learn.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import type { PastEvent } from "../../../../src/engine/transcripts/past.ts";
import { readLine, type PastSession } from "../past-session.ts";

/** Writes a session's past as a file, of which each line names one of its events. */
export function fileOf(
  folder: string,
  { events }: Pick<PastSession, "events">,
  { name, mtimeMs = 1 }: { readonly name: string; readonly mtimeMs?: number },
): LearnFile {
  const file = path.join(folder, `${name}.jsonl`);
  const text = events.map((_, at) => `${JSON.stringify({ at })}\n`).join("");
  writeFileSync(file, text);
  const eventOf = (row: unknown): PastEvent[] => {
    const at: unknown = typeof row === "object" && row !== null && "at" in row ? row.at : undefined;
    const event = typeof at === "number" ? events[at] : undefined;
    return event === undefined ? [] : [event];
  };
  return {
    agent: "claude-code",
    path: file,
    size: text.length,
    mtimeMs,
    rows: () => ({ read: eventOf }),
  };
}

export function storeOf(ledger: Ledger): LearnStore {
  return {
    ask: (name, asked) => Promise.resolve(ledger.ask(name, asked)),
    append: async (entries) => {
      const done = await ledger.append(entries);
      if (!done.ok) throw new Error(`${done.reason}: ${done.detail.text}`);
    },
  };
}

export interface LearnWorld {
  readonly files: readonly LearnFile[];
  readonly store: LearnStore;
  readonly signal?: AbortSignal;
  readonly only?: TaskName;
  readonly problems?: string[];
  readonly packetEntry?: LearnPorts["packetEntry"];
  readonly rootOf?: (folder: string) => string;
  readonly pause?: () => Promise<void>;
}

export async function learnFrom({ files, store, only, problems = [], ...over }: LearnWorld) {
  const done = await learn(
    {
      store,
      readLine,
      rootOf: over.rootOf ?? ((folder) => folder),
      pace: new Pace({ pause: over.pause ?? (() => Promise.resolve()), now: () => performance.now() }),
      signal: over.signal ?? new AbortController().signal,
      files: () => Promise.resolve(files),
      packetEntry: over.packetEntry ?? (() => Promise.resolve(null)),
      onProgress: () => undefined,
      onProblem: (message) => problems.push(message.text),
    },
    only ?? null,
  );
  return done;
}

/** The tables of lessons, as text. */
export function tablesOf(ledger: Ledger): string {
  const projects = ledger.ask("factsStamps", null).map(({ project }) => project);
  return JSON.stringify(
    {
      book: ledger.ask("learnedBook", null),
      cursors: ledger.ask("learnCursors", null).filter(({ id }) => !id.includes("@")),
      facts: [...new Set(projects)].map((project) => ledger.ask("sessionFacts", { project, task: null })),
    },
    null,
    1,
  );
}

/** A store that is killed at an append: of its entries only the first are durable. */
export function killedAt(store: LearnStore, append: number, durable: number): LearnStore {
  let count = 0;
  return {
    ask: (name, asked) => store.ask(name, asked),
    append: async (entries: readonly LedgerEntry[]) => {
      count += 1;
      if (count < append) {
        await store.append(entries);
        return;
      }
      const first = entries.slice(0, durable);
      if (first.length > 0) await store.append(first);
      throw new Error("killed");
    },
  };
}
