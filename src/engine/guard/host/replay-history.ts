import { sentence, type Sentence, plainSentence } from "../../base/language.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { SessionMemory } from "../../base/per-session.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import type { GuardHitEntry } from "../hit-entry.ts";
import type { GuardReplay } from "../guard-answers.ts";
import { Replay, unknowable } from "./replay.ts";
import { HookPipeline } from "../../hooks/dispatch.ts";
import { hookCallers, type HookCaller } from "../../hooks/program.ts";
import type { GuardFamily } from "../../settings/guard.ts";
import { defaults, type Settings } from "../../settings/shape.ts";
import { agents } from "../../transcripts/agents.ts";
import { readPast, type PastFile } from "../../transcripts/past.ts";
import type { HomeInput } from "../../transcripts/home-folder.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { createCallGuards } from "./guards.ts";
import { registerGuards } from "./register-guards.ts";

export interface ReplayInput extends HomeInput {
  readonly purser: Pick<PurserPaths, "guardRules" | "trustedFolders">;
  readonly temporary: string;
  readonly clock: Clock;
  /** Files last written before this time are left out. Milliseconds since the epoch. */
  readonly since: number;
  /** Null for all families. */
  readonly family: GuardFamily | null;
  readonly catalogue: Catalogue;
  /** Ratios of the ledger's newest requests. */
  readonly charactersPerToken: readonly number[];
  readonly signal: AbortSignal;
  readonly onProgress: (files: number, of: number) => void;
  readonly onProblem: (message: Sentence) => void;
}

/** Plays the user's history to today's guards. Calls no model and writes nothing. */
export async function replayHistory(input: ReplayInput): Promise<Result<GuardReplay, "cancelled">> {
  const { since, family, signal } = input;
  const files = await pastFiles(input);
  let hits: GuardHitEntry[] = [];
  const { compressFrom } = await import("../output/compress-from.ts");
  const guards = await observingGuards(input, (entries) => hits.push(...entries));
  const replay = new Replay({
    ask: async (event, program) => await guards.answer(event, program),
    takeHits: () => {
      const taken = hits;
      hits = [];
      return taken;
    },
    compress:
      family === null || family === "output"
        ? (output, line) => compressFrom(output, { kind: "command", line }, unknownShell(input), true)
        : null,
    catalogue: input.catalogue,
    charactersPerToken: input.charactersPerToken,
  });
  let unread = 0;
  for (const [index, file] of files.entries()) {
    if (signal.aborted) return fail("cancelled", sentence("stopped before all files were read"));
    input.onProgress(index, files.length);
    const read = await readPast(file, async (events) => {
      for (const event of events) await replay.play(file.agent, event);
    });
    if (!read.ok) unread += 1;
    if (!read.ok && read.reason === "unreadable") input.onProblem(read.detail);
    replay.endFile();
  }
  return succeed({
    since: new Date(since).toISOString(),
    files: files.length,
    leftOut: { files: unread, families: [...unknowable] },
    ...replay.result(),
  });
}

/** Finds the files that agents with hooks wrote since a time, oldest first. */
async function pastFiles(input: ReplayInput): Promise<(PastFile & { readonly agent: HookCaller })[]> {
  const found = await Promise.all(
    agents.map(async ({ name, history }) => {
      const agent = hookCallers.find((caller) => caller === name);
      if (history === null || agent === undefined) return [];
      return (await history()).files(input).map((file) => ({ ...file, agent }));
    }),
  );
  return found
    .flat()
    .filter(({ mtimeMs }) => mtimeMs >= input.since)
    .toSorted((one, other) => one.mtimeMs - other.mtimeMs);
}

/** Returns guards that only observe. Guards that compare with the disk are left out, as the disk has changed since. */
async function observingGuards(
  { purser, clock, home, temporary, family, onProblem }: ReplayInput,
  record: (entries: readonly GuardHitEntry[]) => void,
): Promise<HookPipeline> {
  const {
    isExcepted,
    isSilent,
    calls,
    ended,
    record: recordHits,
    recordStates,
  } = createCallGuards({
    home: purser,
    clock,
    userHome: home,
    platform: process.platform,
    temporary,
    ledger: {
      append: (entries) => {
        record(entries.filter((entry) => entry.kind === "guard-hit"));
        return Promise.resolve(succeed(0));
      },
      ask: () => Promise.resolve(fail("no_ledger", plainSentence("a replay asks nothing"))),
    },
    onProblem,
  });
  // The first call would not wait for the rules.
  await calls.judge({ kind: "command", command: "true", shell: "posix" }, calls.contextOf(null));
  await ended.read("true", null, "posix");
  const settings: Settings = {
    ...defaults,
    guardMode: family === null ? "observe" : "off",
    guardFamilies: family === null ? {} : { [family]: "observe" },
  };
  const pipeline = new HookPipeline({ add: (_kind, message) => onProblem(plainSentence(message)) });
  registerGuards(pipeline, {
    guards: {
      isExcepted,
      isSilent,
      isResting: () => false,
      calls,
      ended: { ...ended, checksOf: () => Promise.resolve([]) },
      record: recordHits,
      recordStates,
      onProblem: (message) => onProblem(plainSentence(message)),
    },
    settings: { of: () => settings },
    memory: new SessionMemory(),
    adviceOf: () => undefined,
    now: () => clock.now(),
  });
  return pipeline;
}

function unknownShell({ home, temporary }: Pick<ReplayInput, "home" | "temporary">) {
  return { folder: null, home, project: null, temporary };
}
