import * as z from "zod/mini";
import { maxSessions, type PerSession, type SessionMemory } from "../../base/per-session.ts";
import { type HookAnswer, isNamed, type EventNamed, isHonoured } from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { SentText } from "../../ledger/learned.ts";
import type { CompactionMode } from "../../settings/shape.ts";
import type { ResumePacket } from "../packet/packet.ts";
import { chosenText, handedText, keepText, lostText, summaryIn } from "./describe-compaction.ts";
import { type ComparedCompaction, itemsOf, type WorkItem, compareWithSummary } from "./lost.ts";
import { lostItem } from "../../ledger/entries.ts";
import { isGapId } from "../handover/gap.ts";

const items = z.array(lostItem).check(z.maxLength(200));
const name = z.string().check(z.maxLength(300));

const compactionState = z.object({
  /** A compaction that has started, or that is over and not yet reported. Null if there is none. */
  open: z.nullable(
    z.object({
      /** Milliseconds since the epoch. */
      at: z.number(),
      trigger: z.nullable(name),
      /** Compactions in the session's transcript at this one's start. Null if unknown. */
      before: z.nullable(z.int().check(z.nonnegative())),
      /** Items that the summary kept and lost. Null until the summary is known. */
      found: z.nullable(z.object({ kept: items, lost: items })),
      /** Ids of items that the agent itself adds to the new context next to the summary. */
      echoed: z._default(z.array(name).check(z.maxLength(200)), []),
    }),
  ),
  /** Number of compactions in the transcript that are dealt with. Null before the first read. */
  seen: z.nullable(z.int().check(z.nonnegative())),
  /** Items that a person wants sent at the next prompt, and the compaction that lost them. */
  chosen: z.array(z.object({ diff: name, items })).check(z.maxLength(20)),
});
type CompactionState = z.infer<typeof compactionState>;
type OpenCompaction = NonNullable<CompactionState["open"]>;

const noCompaction: CompactionState = { open: null, seen: null, chosen: [] };

const around = ["PreCompact", "SubagentStop", "SessionStart", "PostCompact"] as const;
const later = ["UserPromptSubmit", "PostToolUse"] as const;
type Around = EventNamed<(typeof around)[number]>;
type Later = EventNamed<(typeof later)[number]>;

export interface RecordedCompactions {
  readonly count: number;
  /** Text that replaces everything before the last compaction. Null if the transcript has none yet. */
  readonly summary: string | null;
}

interface GivenItems {
  readonly session: string;
  readonly diff: string;
  readonly items: readonly string[];
}

export interface CompactionPorts {
  readonly memory: Pick<SessionMemory, "part">;
  readonly modeOf: (folder: string | null, session: string) => CompactionMode;
  /** Whether texts of a kind are muted because they do not help. */
  readonly isSilent: (rule: SentText) => boolean;
  /** Null for an unknown session. */
  readonly packetOf: (session: string) => Promise<ResumePacket | null>;
  readonly compactionsOf: (session: string) => Promise<RecordedCompactions | null>;
  readonly record: (compared: ComparedCompaction) => void;
  readonly recordGiven: (given: GivenItems) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A clock that is never set back. Milliseconds. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

/** Time limits for its answers: around a compaction, and at each prompt and call. Milliseconds. */
const [limit, laterLimit] = [600, 100];
/** An answer ready later than this before its time limit is sent at the next hook. Milliseconds. */
const margin = 30;
/** After this time a summary is older than the work that it stands for. Milliseconds. */
const maxFreshMs = 10 * 60_000;
/** An announced compaction that did not happen within this time is dropped. Milliseconds. */
const maxOpenMs = 30 * 60_000;

/**
 * Before a compaction, lists what the summary should keep. After it, sends the agent only what the summary
 * lost. Claude Code passes the summary as the last message of the summarizing agent, before the session
 * continues. If no hook passes it, it is read from the transcript.
 */
export class CompactionGuard {
  readonly #ports: CompactionPorts;
  readonly #states: PerSession<CompactionState>;
  /** Sessions with a transcript that this process has started to read. */
  readonly #read = new Set<string>();
  readonly handler: HookHandler<(typeof around)[number]>;
  readonly laterHandler: HookHandler<(typeof later)[number]>;

  constructor(ports: CompactionPorts) {
    this.#ports = ports;
    this.#states = ports.memory.part("compaction", { schema: compactionState, empty: noCompaction });
    this.handler = {
      name: "compaction",
      events: around,
      budget: limit,
      answer: (event, about) => this.#around(event, about ?? defaultHookContext),
    };
    this.laterHandler = {
      name: "compaction-later",
      events: later,
      budget: laterLimit,
      hearsNotifications: true,
      answer: (event, about) => this.#later(event, about ?? defaultHookContext),
    };
  }

  /** Schedules items to be sent once, at a session's next prompt. */
  choose(session: string, diff: string, items: readonly WorkItem[]): void {
    const state = this.#states.of(session);
    const before = state.chosen.find((each) => each.diff === diff)?.items ?? [];
    const ids = new Set(before.map(({ id }) => id));
    const all = [...before, ...items.filter(({ id }) => !ids.has(id))];
    const others = state.chosen.filter((each) => each.diff !== diff);
    this.#states.set(session, { ...state, chosen: [...others, { diff, items: all }].slice(-20) });
  }

  /** Chosen items of one compaction, or handover, that have not been sent yet, by id. */
  waiting(session: string, diff: string): readonly string[] {
    const items = this.#states.of(session).chosen.find((each) => each.diff === diff)?.items ?? [];
    return items.map(({ id }) => id);
  }

  #around(event: Around, about: HookContext): Promise<HookAnswer | null> | null {
    const mode = this.#ports.modeOf(event.cwd ?? null, event.session_id);
    if (mode === "off") return null;
    // The agent that makes the summary is the one subagent that matters here: it has no type.
    if (isNamed(event, ["SubagentStop"])) return this.#summarized(event, about);
    if (event.agent_id !== undefined) return null;
    switch (event.hook_event_name) {
      case "PreCompact":
        return this.#start(event, about, mode);
      case "SessionStart":
        if (event.source !== "compact") return null;
        this.#refresh(event.session_id);
        return this.#answer(event, about, mode, limit);
      case "PostCompact":
        return this.#ended(event);
    }
  }

  async #start(
    event: EventNamed<"PreCompact">,
    about: HookContext,
    mode: CompactionMode,
  ): Promise<HookAnswer | null> {
    const { session_id: session, trigger = null } = event;
    const startedAt = this.#ports.elapsed();
    const open = { at: this.#ports.now(), trigger, before: null, found: null, echoed: [] };
    this.#update(session, { open });
    const recorded = await this.#ports.compactionsOf(session);
    if (recorded !== null) this.#update(session, { open: { ...open, before: recorded.count } });
    const packet = await this.#ports.packetOf(session);
    const isDelivered =
      mode === "on" && !about.isPosted && isHonoured("context", "PreCompact", about.program);
    const keep = packet === null || !isDelivered ? null : keepText(itemsOf(packet));
    if (keep === null) return null;
    // The agent never sees a late answer, so these facts are sent after the compaction.
    if (this.#isLate(startedAt, limit, about)) return null;
    const { open: now } = this.#states.of(session);
    // After a person's /compact, Claude Code also adds this hook's text to the context.
    if (trigger === "manual" && about.program === "claude-code" && now !== null)
      this.#update(session, { open: { ...now, echoed: keep.items.map(({ id }) => id) } });
    return { context: keep.text, rule: "keep-facts" };
  }

  /**
   * Adds work done since a summary was prepared, which may be an hour before its compaction. What the summary
   * lacks is found once the agent passes the summary again.
   */
  #refresh(session: string): void {
    const { open } = this.#states.of(session);
    const now = this.#ports.now();
    const isFresh = open !== null && Math.abs(now - open.at) <= maxFreshMs;
    if (!isFresh)
      this.#update(session, {
        open: {
          at: now,
          trigger: open?.trigger ?? null,
          before: open?.before ?? null,
          found: null,
          echoed: [],
        },
      });
  }

  /** A summary is not changed by an answer: nothing is. */
  #summarized(event: EventNamed<"SubagentStop">, { program }: HookContext): Promise<null> | null {
    const { session_id: session, agent_type: type = "", last_assistant_message: reply } = event;
    const { open } = this.#states.of(session);
    const isSummary = program === "claude-code" && type === "" && open?.found === null;
    return isSummary && reply !== undefined ? this.#compare(session, open, summaryIn(reply)) : null;
  }

  async #ended({ session_id: session, compact_summary: reply }: EventNamed<"PostCompact">): Promise<null> {
    const { open } = this.#states.of(session);
    if (open?.found !== null || reply === undefined || reply === "") return null;
    return await this.#compare(session, open, summaryIn(reply));
  }

  async #compare(session: string, open: OpenCompaction, summary: string): Promise<null> {
    const packet = await this.#ports.packetOf(session);
    if (packet === null) return null;
    const { kept, lost } = compareWithSummary(itemsOf(packet), summary);
    this.#update(session, { open: { ...open, found: { kept: [...kept], lost: [...lost] } } });
    return null;
  }

  /**
   * Answers the first hook after a compaction that can add to the context. A late answer is sent at the next
   * hook.
   */
  async #answer(
    { session_id: session, hook_event_name: name }: Around | Later,
    about: HookContext,
    mode: CompactionMode,
    time: number,
  ): Promise<HookAnswer | null> {
    const { program } = about;
    const startedAt = this.#ports.elapsed();
    await this.#readSummary(session);
    const { open } = this.#states.of(session);
    const found = open?.found ?? null;
    if (open === null || found === null || this.#isLate(startedAt, time, about)) return null;
    const isDelivered =
      mode === "on" && isHonoured("context", name, program) && !this.#ports.isSilent("lost-facts");
    const isEchoed = ({ id }: WorkItem): boolean => open.echoed.includes(id);
    const lost = isDelivered ? lostText(found.lost.filter((item) => !isEchoed(item))) : null;
    this.#update(session, { open: null });
    if (found.kept.length + found.lost.length === 0) return null;
    this.#ports.record({
      sessionId: session,
      program,
      trigger: open.trigger,
      at: open.at,
      ...found,
      told: [...found.lost.filter(isEchoed), ...(lost?.items ?? [])],
    });
    return lost === null ? null : { context: lost.text, rule: "lost-facts" };
  }

  #isLate(startedAt: number, time: number, { signal }: HookContext): boolean {
    return signal.aborted || this.#ports.elapsed() - startedAt > time - margin;
  }

  async #readSummary(session: string): Promise<void> {
    const { open } = this.#states.of(session);
    if (open?.found !== null) return;
    const recorded = await this.#ports.compactionsOf(session);
    const isNew = recorded !== null && recorded.count > (open.before ?? Infinity);
    if (isNew && recorded.summary !== null) await this.#compare(session, open, summaryIn(recorded.summary));
  }

  /** Items that a person chose are sent in every mode. */
  #later(event: Later, about: HookContext): Promise<HookAnswer | null> | null {
    if (event.agent_id !== undefined) return null;
    const mode = this.#ports.modeOf(event.cwd ?? null, event.session_id);
    const { open, chosen } = this.#states.of(event.session_id);
    // Hooks in a Gemini CLI subagent look like those of the session itself. Only the session itself has
    // prompts.
    const canAnswer = about.program !== "gemini" || event.hook_event_name === "UserPromptSubmit";
    const isOpen = mode !== "off" && canAnswer && (open !== null || about.program === "gemini");
    return isOpen || chosen.length > 0 ? this.#next(event, about, isOpen ? mode : "off") : null;
  }

  async #next(event: Later, about: HookContext, mode: CompactionMode): Promise<HookAnswer | null> {
    const { session_id: session, hook_event_name: name } = event;
    if (mode !== "off") await this.#look(session, about);
    const lost = mode === "off" ? null : await this.#answer(event, about, mode, laterLimit);
    const isDelivered = isHonoured("context", name, about.program);
    // If a prompt cannot add to the context, the end of the next call does.
    const isTurn = name === "UserPromptSubmit" || !isHonoured("context", "UserPromptSubmit", about.program);
    const chosen = isDelivered && isTurn ? this.#takeChosen(session) : null;
    const texts = [lost?.context, chosen].flatMap((text) => text ?? []);
    return texts.length === 0 ? null : { context: texts.join("\n"), rule: lost?.rule ?? "put-back" };
  }

  /** Gemini CLI does not announce a compaction; its transcript records it. An old announcement is dropped. */
  async #look(session: string, { program }: HookContext): Promise<void> {
    const { open, seen } = this.#states.of(session);
    const now = this.#ports.now();
    if (open !== null && Math.abs(now - open.at) > maxOpenMs) this.#update(session, { open: null });
    if (program !== "gemini" || open !== null) return;
    if (!this.#read.has(session)) {
      this.#readFirst(session);
      return;
    }
    const recorded = await this.#ports.compactionsOf(session);
    if (recorded === null || recorded.count === seen) return;
    this.#update(session, { seen: recorded.count });
    // The first look finds compactions of before.
    if (seen === null || recorded.count < seen) return;
    this.#update(session, {
      open: { at: now, trigger: null, before: recorded.count - 1, found: null, echoed: [] },
    });
  }

  /** Reads a session's transcript whole for the first time, and loads the code that reads it: no prompt waits for that. */
  #readFirst(session: string): void {
    this.#read.add(session);
    const [oldest] = this.#read;
    if (this.#read.size > maxSessions && oldest !== undefined) this.#read.delete(oldest);
    this.#ports.compactionsOf(session).then(
      (recorded) => {
        // It finds compactions of before, unless another service has looked.
        if (recorded !== null && this.#states.of(session).seen === null)
          this.#update(session, { seen: recorded.count });
      },
      (error: unknown) => this.#ports.onProblem(`A session's compactions were not read: ${String(error)}`),
    );
  }

  #takeChosen(session: string): string | null {
    const { chosen } = this.#states.of(session);
    if (chosen.length === 0) return null;
    const itemsWhere = (isOf: (diff: string) => boolean) =>
      chosen.flatMap(({ diff, items }) => (isOf(diff) ? items : []));
    const parts = [
      chosenText(itemsWhere((diff) => !isGapId(diff))),
      handedText(itemsWhere((diff) => isGapId(diff))),
    ].filter((part) => part !== null);
    if (parts.length === 0) return null;
    const ids = new Set(parts.flatMap(({ items }) => items.map(({ id }) => id)));
    for (const { diff, items } of chosen) {
      const given = items.flatMap(({ id }) => (ids.has(id) ? [id] : []));
      if (given.length > 0) this.#ports.recordGiven({ session, diff, items: given });
    }
    // The rest is sent at the following prompt.
    const rest = chosen
      .map((each) => ({ ...each, items: each.items.filter(({ id }) => !ids.has(id)) }))
      .filter(({ items }) => items.length > 0);
    this.#update(session, { chosen: rest });
    return parts.map(({ text }) => text).join("\n");
  }

  #update(session: string, change: Partial<CompactionState>): void {
    this.#states.set(session, { ...this.#states.of(session), ...change });
  }
}
