import path from "node:path";
import type { Clock } from "../../../../src/engine/base/timing.ts";
import type { Freshness } from "../../../../src/engine/ledger/ledger-answers.ts";
import type { CollectTask } from "../../../../src/engine/ledger/collect/collecting.ts";
import type { Append } from "../../../../src/engine/ledger/collect/batch.ts";
import {
  Collector,
  type CollectorPorts,
  type StoredPositions,
} from "../../../../src/engine/ledger/collect/collector.ts";
import { loadSourceFinder, type SourceFinder } from "../../../../src/engine/ledger/collect/find-sources.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import { addUsage, noUsage, type TokenUsage } from "../../../../src/engine/usage/token-counts.ts";

const sourceFinder = await loadSourceFinder();

/** Positions before anything was read. */
export const noPositions: StoredPositions = { all: () => new Map(), of: () => null };

/** Locations of each agent's files, below one folder. */
export function homesIn(folder: string): { env: Record<string, string>; home: string } {
  return {
    home: folder,
    env: {
      CLAUDE_CONFIG_DIR: path.join(folder, "claude"),
      CODEX_HOME: path.join(folder, "codex"),
      COPILOT_HOME: path.join(folder, "copilot"),
      GEMINI_CLI_HOME: path.join(folder, "gemini"),
    },
  };
}

interface Collected {
  readonly collector: Collector;
  readonly finder: SourceFinder;
  /** The files that were opened for reading. */
  readonly opened: string[];
  readonly problems: string[];
  readonly reported: Freshness[];
}

/** A collector of the files below a folder, into a real ledger. */
export function collectInto(
  ledger: Ledger,
  folder: string,
  over: Pick<CollectTask, "roots"> & {
    readonly append?: Append;
    readonly env?: Record<string, string>;
    readonly clock?: Clock;
  } = {},
): Collected {
  const homes = homesIn(folder);
  const finder = sourceFinder({ ...homes, env: over.env ?? homes.env, roots: over.roots ?? [] });
  const opened: string[] = [];
  const problems: string[] = [];
  const reported: Freshness[] = [];
  const ports: CollectorPorts = {
    find: () => {
      const found = finder.find();
      const sources = found.sources.map((source) => ({
        ...source,
        open(...given: Parameters<typeof source.open>) {
          opened.push(source.path);
          return source.open(...given);
        },
      }));
      return { ...found, sources };
    },
    append: over.append ?? ((entries) => ledger.append(entries)),
    positions: { all: () => ledger.ask("readFiles", null), of: (path) => ledger.ask("position", path) },
    clock: over.clock ?? { now: () => 1000 },
    onFreshness: (freshness) => reported.push(freshness),
    onProblem: (problem) => problems.push(problem),
  };
  return { collector: new Collector(ports), finder, opened, problems, reported };
}

/** Rows of Claude Code with the responses from `from` to `to`, exclusive. */
export function responseLines(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    return `${JSON.stringify({
      type: "assistant",
      uuid: `row-${number}`,
      sessionId: "session-1",
      timestamp: new Date(Date.UTC(2026, 10, 1, 9) + number * 60_000).toISOString(),
      cwd: "/work/project",
      isSidechain: false,
      requestId: `req_${number}`,
      message: {
        id: `msg_${number}`,
        type: "message",
        role: "assistant",
        model: "claude-opus-4-5",
        content: [{ type: "text", text: "done" }],
        stop_reason: "end_turn",
        usage: { input_tokens: 10, output_tokens: number + 1 },
      },
    })}\n`;
  }).join("");
}

/** The ledger's counts by session. */
export function countedBySession(ledger: Ledger): Map<string, { responses: number } & TokenUsage> {
  return new Map(
    ledger.ask("sessions", {}).map(({ id }) => {
      const responses = ledger.ask("responses", id);
      const usage = responses.reduce((sum, each) => addUsage(sum, each.usage), noUsage);
      return [id, { ...usage, responses: responses.length }];
    }),
  );
}

/** All of the ledger's content except append times: rows of every table in canonical order. */
export async function contentOf(ledger: Ledger): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of ledger.export({ format: "json", since: null })) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString("utf8").split("\n");
  // A row's version is the number of the write that changed it last, so it depends on interruptions.
  return lines.map((line) => line.replace(/,$/u, "").replace(/,"version":\d+/u, "")).sort();
}
