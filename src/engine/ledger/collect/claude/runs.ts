import * as z from "zod/mini";
import type { ApiResponse } from "../../../usage/api-response.ts";
import { cacheCreation } from "../../../usage/token-counts.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import type { SubagentMeta, Surrounding } from "../../../transcripts/claude.ts";
import type { EntryFile } from "../collect-source.ts";
import { FileRereads, rereadsState, RunSum, runSumState } from "../run-sum.ts";
import { branchOrNull, cappedCount, idOrNull, nameOrNull, shortKey } from "../fitting.ts";
import { sha256Hex } from "../../../base/hash.ts";

const count = z.nullable(z.int().check(z.nonnegative()));

export const surroundingsState = z.object({
  hasInstructionsFile: z.nullable(z.boolean()),
  instructionsChars: count,
  skillCount: count,
  skillSetHash: z.nullable(z.string()),
});
/** The instructions and skills the agent had, as far as its attachments show; null means "not reported". */
export type Surroundings = z.infer<typeof surroundingsState>;

export const unknownSurroundings: Surroundings = {
  hasInstructionsFile: null,
  instructionsChars: null,
  skillCount: null,
  skillSetHash: null,
};

export function withSurrounding(known: Surroundings, surrounding: Surrounding): Surroundings {
  switch (surrounding.kind) {
    case "instructions":
      return {
        ...known,
        hasInstructionsFile: surrounding.files > 0,
        instructionsChars: cappedCount(surrounding.chars),
      };
    case "session-context":
      // Versions that write this row write the instructions before it, if there are any.
      if (known.hasInstructionsFile !== null) return known;
      return { ...known, hasInstructionsFile: false, instructionsChars: 0 };
    case "skills":
      return { ...known, ...skillsAfter(known, surrounding) };
    case "queued-prompt":
      return known;
  }
}

/** The first listing names all skills, a later one only the added ones. */
function skillsAfter(
  known: Surroundings,
  { count: listed, names, isInitial }: Extract<Surrounding, { kind: "skills" }>,
): Pick<Surroundings, "skillCount" | "skillSetHash"> {
  const before = isInitial ? "" : (known.skillSetHash ?? "");
  const digest = sha256Hex([before, ...names.toSorted()].join("\n"));
  const skillCount = cappedCount(listed + (isInitial ? 0 : (known.skillCount ?? 0)));
  return { skillCount, skillSetHash: digest.slice(0, 16) };
}

const text = z.nullable(z.string());
const time = z.nullable(z.number());

const openRun = z.object({
  /** Null until there is a reply: a prompt alone is not a run. */
  id: text,
  isFresh: z.boolean(),
  /** The model ended its turn; later rows may still belong to the run. */
  isClosed: z.boolean(),
  /** It has stopped at least once, so it is reported. */
  hasStopped: z.boolean(),
  project: text,
  branch: text,
  model: text,
  startedAt: time,
  endedAt: time,
  toolCalls: z.number(),
  promptChars: z.nullable(z.number()),
  known: surroundingsState,
  /** The last message's key, and whether it has text, called a tool, or failed. */
  last: text,
  hasText: z.boolean(),
  hasCalls: z.boolean(),
  isFailed: z.boolean(),
});
type OpenRun = z.infer<typeof openRun>;

export const runsState = z.object({
  run: z.nullable(openRun),
  sum: runSumState,
  rereads: rereadsState,
  /** Whether there were earlier runs, or history copied from another session. */
  hasBefore: z.boolean(),
  agentType: text,
  /** The named agent that the session runs as. */
  mainAgent: z._default(text, null),
});
export type RunsState = z.infer<typeof runsState>;

/** Characters. */
const maxTypeLength = 200;

const noRun: OpenRun = {
  id: null,
  isFresh: false,
  isClosed: false,
  hasStopped: false,
  project: null,
  branch: null,
  model: null,
  startedAt: null,
  endedAt: null,
  toolCalls: 0,
  promptChars: null,
  known: unknownSurroundings,
  last: null,
  hasText: false,
  hasCalls: false,
  isFailed: false,
};

/** A row written by the model, or by the agent in its place. */
export interface Reply {
  /** Null for an API error. */
  readonly response: ApiResponse | null;
  /** The row's own id, which identifies a run without a response. */
  readonly uuid: string | null;
  readonly at: number | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly hasText: boolean;
  readonly endsTurn: boolean;
  readonly agentType: string | null;
}

/**
 * The runs of one conversation. In a session's main file, each prompt up to the response that ends the turn; in a
 * subagent's file, all of it. A run is reported when it stops, and again when more of it follows.
 */
export class ClaudeRuns {
  readonly #file: EntryFile;
  readonly #sum: RunSum;
  readonly #rereads: FileRereads;
  #run: OpenRun | null;
  #hasBefore: boolean;
  #agentType: string | null;
  #mainAgent: string | null;
  #isChanged = false;
  #done: LedgerEntry[] = [];

  constructor(file: EntryFile, state: RunsState | null) {
    this.#file = file;
    this.#run = state?.run ?? null;
    this.#sum = new RunSum(state?.sum ?? null);
    this.#rereads = new FileRereads(state?.rereads ?? null);
    this.#hasBefore = state?.hasBefore ?? false;
    this.#agentType = state?.agentType ?? null;
    this.#mainAgent = state?.mainAgent ?? null;
  }

  /** The subagent's type, once a row has named it. */
  get agentType(): string | null {
    return this.#agentType;
  }

  /** @param chars length of the prompt, or null if unknown */
  prompted(at: number | null, chars: number | null): void {
    if (this.#file.agentId !== null && this.#run !== null) return;
    // A run without a sign of stopping has stopped by now.
    if (this.#run !== null) this.#stop(this.#run);
    this.#emitRun();
    this.#run = { ...noRun, startedAt: at, promptChars: chars };
    this.#sum.restart();
    this.#rereads.restart();
  }

  /** A prompt queued while the agent was busy belongs to its run; a later one starts another. */
  queued(at: number | null, chars: number): void {
    if (this.#run === null || this.#run.isClosed) this.prompted(at, chars);
  }

  /** @returns false for a row of an earlier run's response, which adds nothing */
  replied(reply: Reply, known: Surroundings): boolean {
    const { response, at, agentType } = reply;
    if (response !== null && !this.#sum.add(response)) return false;
    if (agentType !== null) this.#agentType = agentType.slice(0, maxTypeLength);
    const run = (this.#run ??= { ...noRun });
    this.#begin(run, reply);
    const key = response === null ? null : shortKey(response.messageId);
    const isSame = key !== null && key === run.last;
    run.last = key;
    run.hasText = reply.hasText || (isSame && run.hasText);
    run.hasCalls = isSame && run.hasCalls;
    run.isFailed = response === null;
    run.model = nameOrNull(response?.model ?? null) ?? run.model;
    // The ledger never drops a figure, so it must not receive one that may be taken back: clocks may be set back.
    if (at !== null) run.endedAt = Math.max(at, run.endedAt ?? at);
    run.known = known;
    run.isClosed = isSame && run.isClosed;
    this.#isChanged = true;
    if (reply.endsTurn || response === null) this.#stop(run);
    return true;
  }

  /** Counts a call that the API made by itself for the response just replied. */
  used(response: ApiResponse): void {
    this.#sum.add(response);
  }

  /** @param reads the file the tool reads, if it reads one */
  called(reads: string | null): void {
    if (this.#run === null) return;
    this.#run.toolCalls += 1;
    this.#run.hasCalls = true;
    if (reads !== null) this.#rereads.read(reads);
    this.#isChanged = true;
  }

  /** A tool's result arrived, so the model's last message was not the end. */
  returned(): void {
    if (this.#run === null) return;
    this.#run.hasText = false;
    this.#run.isClosed = false;
    this.#isChanged = true;
  }

  interrupted(): void {
    if (this.#run === null || this.#run.isClosed) return;
    this.#run.hasText = false;
    this.#stop(this.#run);
  }

  /** The file holds history of the session it was forked from. */
  copied(): void {
    this.#hasBefore = true;
  }

  /** The run has ended for a reason that no row shows. */
  finished(): void {
    if (this.#run?.hasStopped === false) this.#stop(this.#run);
  }

  /** The session itself is a named agent; the current run belongs to that agent, too. */
  named(agent: string): void {
    this.#mainAgent = agent.slice(0, maxTypeLength);
    this.#isChanged ||= this.#run !== null;
  }

  /** @param meta the subagent's metadata. Rows name the type first, except for a teammate: there they have its name */
  take(meta: Pick<SubagentMeta, "type" | "name"> | null): LedgerEntry[] {
    if (meta !== null && meta.name !== null && meta.type !== null && this.#agentType !== meta.type) {
      this.#agentType = meta.type;
      this.#isChanged ||= this.#run !== null;
    }
    this.#agentType ??= meta?.type ?? null;
    if (this.#run?.hasStopped === true) this.#emitRun();
    const done = this.#done;
    this.#done = [];
    return done;
  }

  state(): RunsState {
    return {
      run: this.#run,
      sum: this.#sum.state(),
      rereads: this.#rereads.state(),
      hasBefore: this.#hasBefore,
      agentType: this.#agentType,
      mainAgent: this.#mainAgent,
    };
  }

  #begin(run: OpenRun, { response, uuid, at, cwd, branch }: Reply): void {
    if (run.id !== null) return;
    const { sessionId, agentId } = this.#file;
    const first = response?.messageId ?? uuid ?? `at-${at ?? "unknown"}`;
    run.id = idOrNull(`${sessionId}${agentId === null ? "" : `#${agentId}`}:${first}`);
    run.startedAt ??= at;
    run.project = nameOrNull(cwd);
    run.branch = branchOrNull(branch);
    run.isFresh = !this.#hasBefore;
    this.#hasBefore = true;
  }

  #stop(run: OpenRun): void {
    if (!run.isClosed || !run.hasStopped) this.#isChanged = true;
    run.isClosed = true;
    run.hasStopped = true;
  }

  #emitRun(): void {
    const run = this.#run;
    const id = run?.id ?? null;
    if (!this.#isChanged || run === null || id === null) return;
    this.#isChanged = false;
    const used = this.#sum.total();
    const { project, branch, model, startedAt, endedAt, promptChars } = run;
    const hasTimes = startedAt !== null && endedAt !== null && endedAt >= startedAt;
    this.#done.push({
      kind: "run",
      id,
      project,
      branch,
      model,
      startedAt,
      endedAt,
      promptChars,
      ...run.known,
      sessionId: this.#file.sessionId,
      agent: this.#file.agentId === null ? (this.#mainAgent ?? "main") : (this.#agentType ?? "subagent"),
      durationMs: hasTimes ? endedAt - startedAt : null,
      input: cappedCount(used.input),
      output: cappedCount(used.output),
      cacheCreation: cappedCount(cacheCreation(used)),
      cacheRead: cappedCount(used.cacheRead),
      toolCalls: run.toolCalls,
      filesReread: this.#rereads.count,
      completed: run.hasText && !run.hasCalls && !run.isFailed,
      freshSession: run.isFresh,
      sessionReused: !run.isFresh,
    });
  }
}
