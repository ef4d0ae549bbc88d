import {
  promptName,
  type RateLimit,
  type OfficialTotalEvent,
  type ResponseEvent,
  type RowReading,
  type SubagentFacts,
  type TranscriptEvent,
  type UnreportedFigure,
} from "../../transcripts/agent-session.ts";
import type { Sentence } from "../../base/language.ts";
import { scrubStart } from "../../base/scrub.ts";
import { cleanText, cutEnd } from "../../base/text.ts";
import type { CacheLife } from "../../transcripts/live-reader.ts";
import { Chain } from "./chain.ts";
import { CountedResponses } from "./counted-responses.ts";
import type { StoredWork } from "./stored-work.ts";

export interface SubagentAccount {
  readonly id: string;
  readonly chain: Chain;
  readonly responses: CountedResponses;
  facts: SubagentFacts;
  /** Milliseconds since the epoch. */
  startedAt: number | null;
  lastActivity: number | null;
}

/** The agent's own running total, and the time of the first row after it: later responses are not included. */
export interface OfficialTotal extends OfficialTotalEvent {
  readonly supersededAt: number | null;
}

/** Age of figures from files that are written only now and then. */
export interface FileAge {
  /** When they were last written. Milliseconds since the epoch. */
  readonly at: number;
  readonly reason: Sentence;
}

/** State of one live session, folded from its main file and its subagents' files. */
export class SessionAccount {
  readonly id: string;
  readonly main: Chain;
  readonly subagents = new Map<string, SubagentAccount>();
  /** Called tools by call id, subagents' calls included, a fork's copies excluded. */
  readonly toolCalls = new Map<string, string>();
  /** Skipped lines by kind: `malformed`, `oversized`, or the unknown row type. */
  readonly skipped = new Map<string, number>();
  /** Folder where the session began: its project. */
  cwd: string | null = null;
  /** Folder where it works now; agents change folder. */
  workingIn: string | null = null;
  branch: string | null = null;
  title: string | null = null;
  /** The first prompt, for sessions without a title. Cleaned and short. */
  firstPrompt: string | null = null;
  /** Milliseconds since the epoch. */
  lastActivity: number | null = null;
  official: OfficialTotal | null = null;
  planLimits: readonly RateLimit[] = [];
  /** For files that are written only now and then: their last write, and why they lag; null for others. */
  asOf: FileAge | null = null;
  /** Figures that the agent's files cannot give, with the reason. */
  readonly untold = new Map<UnreportedFigure, Sentence>();
  /** The calls of scripts, by the calls that the scripts made. */
  readonly #scripts = new Map<string, string>();
  /** Subagents from earlier versions of the files. */
  readonly #before = new Map<string, Pick<SubagentAccount, "chain" | "responses">>();
  #all = new CountedResponses();
  // The same object until they differ, which happens in few sessions.
  #own = this.#all;
  #ofMain = this.#all;

  /** @param cacheLife how long the agent's provider caches a context; null where unknown */
  constructor(id: string, cacheLife: CacheLife | null) {
    this.id = id;
    this.main = new Chain(cacheLife);
  }

  /**
   * Responses of the session and its subagents, including those a fork copied from its parent: the same as in the
   * agent's own total.
   */
  get all(): CountedResponses {
    return this.#all;
  }

  get own(): CountedResponses {
    return this.#own;
  }

  /** Those of the session's main file, without the copies. */
  get ofMain(): CountedResponses {
    return this.#ofMain;
  }

  /**
   * Whether the response that called a tool has been read; for a call by a script, the response that wrote the script.
   */
  hasCall(id: string): boolean {
    return this.toolCalls.has(this.#scripts.get(id) ?? id);
  }

  /** False for a file without any conversation yet. */
  get isBegun(): boolean {
    return this.cwd !== null || this.main.turns > 0 || this.main.prompts > 0;
  }

  /**
   * Continues from an account of the session's earlier files, which the agent has since rewritten, perhaps without
   * their older rows. Earlier usage still counts; the present files determine the context's content.
   */
  goOnFrom(earlier: SessionAccount): void {
    this.main.goOnFrom(earlier.main);
    for (const [id, { chain, responses }] of [...earlier.#before, ...earlier.subagents])
      this.#before.set(id, { chain, responses });
    for (const [id, tool] of earlier.toolCalls) this.toolCalls.set(id, tool);
    for (const [id, script] of earlier.#scripts) this.#scripts.set(id, script);
    this.cwd = earlier.cwd;
    this.firstPrompt = earlier.firstPrompt;
    this.title = earlier.title;
    this.lastActivity = earlier.lastActivity;
    this.official = earlier.official;
    this.planLimits = earlier.planLimits;
    this.#all = earlier.#all.copy();
    this.#own = earlier.#own === earlier.#all ? this.#all : earlier.#own.copy();
    this.#ofMain =
      earlier.#ofMain === earlier.#all
        ? this.#all
        : earlier.#ofMain === earlier.#own
          ? this.#own
          : earlier.#ofMain.copy();
  }

  /** Adds the ledger's data on this session that no file contains any more. */
  addStored({ responses, calls, prompts, compactions, cwd }: StoredWork): void {
    this.cwd = cwd ?? this.cwd;
    for (const [id, tool] of calls) if (!this.toolCalls.has(id)) this.toolCalls.set(id, tool);
    for (const each of responses) this.#count(each, each.agentId);
    const ofMain = responses.flatMap(({ response, agentId }) =>
      agentId === null && !response.isSidechain ? [response] : [],
    );
    this.main.addStored(ofMain, { prompts, compactions });
    for (const { response, agentId } of responses) {
      if (agentId === null) continue;
      // A subagent without a file is not shown, but counts.
      const subagent = this.subagents.get(agentId) ?? this.#before.get(agentId) ?? this.#newSubagent();
      if (!this.subagents.has(agentId)) this.#before.set(agentId, subagent);
      subagent.responses.add(response);
      subagent.chain.addStored([response]);
    }
  }

  /** @param fileOf the subagent whose file the row is in, or null for the session's main file */
  apply(reading: RowReading, fileOf: string | null): void {
    if (reading.outcome !== "known") {
      this.skip(reading.outcome === "unknown" ? reading.type : reading.outcome);
      return;
    }
    const agentId = reading.agentId ?? fileOf;
    this.#seen(reading.at, agentId);
    // Rows of a side conversation in the main file (old versions, `/btw` asides) do not describe the main chain.
    const isAside = reading.isSidechain && agentId === null;
    for (const event of reading.events) {
      if (event.kind === "response") this.#respond(event, agentId);
      else if (event.kind === "tool-call") {
        if (!event.isCopy) this.toolCalls.set(event.id, event.tool);
      } else if (event.kind === "nested-call") {
        this.#scripts.set(event.id, event.script);
      } else if (event.kind === "plan-limits") this.#limit(event.limits);
      else if (event.kind === "as-of") this.asOf = { at: event.at, reason: event.reason };
      else if (event.kind === "untold") this.untold.set(event.figure, event.reason);
      else if (event.kind === "subagent" && event.agentId !== undefined)
        this.#noteOf(this.subagent(event.agentId), event);
      else if (agentId !== null) this.#noteOf(this.subagent(agentId), event);
      else if (!isAside) {
        this.#note(event);
        this.main.apply(event);
      }
    }
  }

  skip(kind: string): void {
    this.skipped.set(kind, (this.skipped.get(kind) ?? 0) + 1);
  }

  subagent(id: string): SubagentAccount {
    const held = this.subagents.get(id);
    if (held !== undefined) return held;
    const before = this.#before.get(id);
    const made: SubagentAccount = {
      id,
      chain: new Chain(this.main.cacheLife),
      responses: before?.responses.copy() ?? new CountedResponses(),
      facts: { type: null, description: null, finished: null },
      startedAt: null,
      lastActivity: null,
    };
    if (before !== undefined) made.chain.goOnFrom(before.chain);
    this.subagents.set(id, made);
    return made;
  }

  #newSubagent(): Pick<SubagentAccount, "chain" | "responses"> {
    return { chain: new Chain(this.main.cacheLife), responses: new CountedResponses() };
  }

  /** A session's files are read one after the other, so an older report may come later. */
  #limit(limits: readonly RateLimit[]): void {
    if (latestOf(limits) >= latestOf(this.planLimits)) this.planLimits = limits;
  }

  #noteOf(subagent: SubagentAccount, event: TranscriptEvent): void {
    if (event.kind === "subagent")
      subagent.facts = {
        type: event.type ?? subagent.facts.type,
        description:
          (event.description === null ? null : shortened(event.description)) ?? subagent.facts.description,
        finished: event.finished ?? subagent.facts.finished,
      };
    subagent.chain.apply(event);
  }

  #note(event: TranscriptEvent): void {
    if (event.kind === "place") {
      this.cwd ??= event.cwd;
      this.workingIn = event.cwd;
      this.branch = event.branch;
    }
    if (event.kind === "title") this.title = shortened(event.title);
    if (event.kind === "prompt") this.firstPrompt ??= shortened(promptName(event.text));
    if (event.kind === "official-total") this.official = { ...event, supersededAt: null };
  }

  #respond(event: ResponseEvent, agentId: string | null): void {
    const { response } = event;
    this.#count(event, agentId);
    if (agentId !== null) {
      const subagent = this.subagent(agentId);
      subagent.responses.add(response);
      subagent.chain.apply(event);
    } else if (!response.isSidechain) {
      this.main.apply(event);
    }
  }

  #count({ response, isCopy }: Pick<ResponseEvent, "response" | "isCopy">, agentId: string | null): void {
    if (isCopy && this.#own === this.#all) {
      this.#own = this.#all.copy();
      if (this.#ofMain === this.#all) this.#ofMain = this.#own;
    }
    if (!isCopy && agentId !== null && this.#ofMain === this.#own) this.#ofMain = this.#own.copy();
    const counts = new Set([this.#all]);
    if (!isCopy) counts.add(this.#own);
    if (!isCopy && agentId === null) counts.add(this.#ofMain);
    for (const each of counts) each.add(response);
  }

  #seen(at: number | null, agentId: string | null): void {
    if (at === null) return;
    this.lastActivity = Math.max(at, this.lastActivity ?? at);
    if (agentId !== null) {
      const subagent = this.subagent(agentId);
      subagent.startedAt ??= at;
      subagent.lastActivity = Math.max(at, subagent.lastActivity ?? at);
      return;
    }
    if (this.official?.supersededAt === null) this.official = { ...this.official, supersededAt: at };
  }
}

function latestOf(limits: readonly RateLimit[]): number {
  return Math.max(...limits.map(({ at }) => at ?? -Infinity));
}

/** Long enough to distinguish sessions. */
const maxTitleLength = 80;

/** Null for empty text, and for the agent's own text in angle brackets: commands and notices. */
function shortened(text: string): string | null {
  // Before it is cut to a title: half a secret is not recognized.
  const cleaned = scrubStart(cleanText(text.slice(0, 40 * maxTitleLength)), 20 * maxTitleLength);
  return cleaned === "" || cleaned.startsWith("<") ? null : cutEnd(cleaned, maxTitleLength);
}
