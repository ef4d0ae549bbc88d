import { lookupModel, type Catalogue } from "../usage/catalogue.ts";
import type { Compaction } from "../usage/api-response.ts";
import {
  type TokenUsage,
  totalTokens,
  noUsage,
  addUsage,
  unknownFigure,
  type Figure,
} from "../usage/token-counts.ts";
import { advise, type Advice, type AdviceThresholds } from "./advice.ts";
import { carriedBy, describeContext, describeMain, type ContextSnapshot } from "./describe-sessions.ts";
import { turnsLeft } from "./compaction-forecast.ts";
import {
  compactionThreshold,
  headroom,
  type LearnedThresholds,
  type Threshold,
} from "./compaction-headroom.ts";
import type { FileAge, SessionAccount, SubagentAccount } from "./live/account.ts";
import { cacheReadShare, nextCall } from "./live/cost.ts";
import { priceOfGoingOn, type PriceOfGoingOn } from "./live/price-of-going-on.ts";
import type { AgentName } from "../transcripts/agents.ts";
import type { AgentSettings } from "../transcripts/live-reader.ts";
import type { LiveAgent } from "./live/live-agents.ts";
import type { HookSession, Activity, PlanLimit } from "./reported.ts";
import { liveContext } from "./live/live-context.ts";
import type { ContextSettings } from "../settings/shape.ts";
import { sentence } from "../base/language.ts";
import { scrubName } from "../base/scrub.ts";

export interface SubagentSnapshot extends ContextSnapshot {
  readonly id: string;
  /** Advice on its own context; null while the window is unknown. */
  readonly advice: Advice | null;
  readonly compactions: number;
  readonly type: string | null;
  readonly description: string | null;
  /** Its own file, apart from the session's. */
  readonly transcript: string | null;
  readonly running: boolean;
  readonly tokens: number;
  /** Milliseconds since the epoch. */
  readonly lastActivity: number | null;
}

export interface OfficialCost {
  /** The agent's own running total. USD and tokens. */
  readonly usd: Figure;
  readonly usage: TokenUsage;
  /** True when the total predates a resume of the session: later responses are not included. */
  readonly isOld: boolean;
  /**
   * The agent's total minus ours for the same responses. USD; calls without a transcript row, mostly compaction
   * summaries.
   */
  readonly difference: Figure;
}

/** Everything shown of one session to a person or a program. Plain data: it crosses threads and processes. */
export interface SessionSnapshot extends ContextSnapshot {
  readonly id: string;
  readonly agent: AgentName;
  /** Name given by the agent or the user, else the first prompt. Cleaned and short. */
  readonly title: string | null;
  readonly cwd: string | null;
  readonly workingIn: string | null;
  /** The host's folder (for example a window's) that the session belongs to, by where it began or where it works. */
  readonly folder: string | null;
  readonly branch: string | null;
  readonly transcript: string;
  /** Milliseconds since the epoch. */
  readonly lastActivity: number | null;
  /** Set if the agent writes its files only now and then: all figures are as of then. */
  readonly asOf: FileAge | null;
  /** True while the session has a process or changed recently. */
  readonly live: boolean;
  /** Occupancy at which automatic compaction begins. */
  readonly threshold: Figure;
  readonly headroom: Figure;
  readonly turnsLeft: Figure;
  /** Compactions the threshold was learned from. */
  readonly samples: number;
  /** Tokens per turn. */
  readonly growth: Figure;
  /** Null while the window is unknown. */
  readonly advice: Advice | null;
  /** The user's own thresholds of the advice, for the folder where the session began. Null for the usual ones. */
  readonly thresholds: AdviceThresholds | null;
  /** Main-chain API responses so far. */
  readonly turns: number;
  readonly prompts: number;
  /** Tool calls so far, each once, subagents' included. */
  readonly toolCalls: number;
  readonly usage: TokenUsage;
  /** USD. */
  readonly cost: Figure;
  readonly official: OfficialCost | null;
  /** USD. */
  readonly nextCall: Figure;
  readonly cacheExpiresAt: number | null;
  readonly goingOn: PriceOfGoingOn;
  /** Share of sent tokens read from the cache, 0 to 1. */
  readonly cacheRead: Figure;
  readonly compactions: number;
  readonly lastCompaction: Compaction | null;
  readonly subagents: readonly SubagentSnapshot[];
  readonly skippedLines: Readonly<Record<string, number>>;
  /** Current activity; null where no hook reported it. */
  readonly activity: Activity | null;
  /** As last reported by the agent. */
  readonly planLimits: readonly PlanLimit[];
  /** Families of guards that only observe in it, for a trial. Absent without any. */
  readonly observing?: readonly string[] | undefined;
}

export interface SnapshotInput {
  readonly agent: LiveAgent;
  readonly account: SessionAccount;
  readonly transcript: string;
  readonly folder: string | null;
  /** By the subagent's id. */
  readonly subagentTranscripts: ReadonlyMap<string, string>;
  readonly live: boolean;
  readonly now: number;
  readonly settings: ContextSettings;
  readonly catalogue: Catalogue;
  /** The agent's own settings in effect where the session works. */
  readonly config: AgentSettings;
  readonly learned: LearnedThresholds;
  readonly hookSession?: HookSession | undefined;
  /** Previous snapshot of the same session, so that its advice does not flicker. */
  readonly previous: Pick<SessionSnapshot, "advice" | "compactions" | "thresholds" | "subagents"> | undefined;
}

export function snapshotSession(input: SnapshotInput): SessionSnapshot {
  const { agent, account, transcript, folder, live, now, catalogue } = input;
  const { main } = account;
  const known = liveContext(main, input.hookSession);
  const context = withReason(
    describeMain(main, input, { now: known, hookSession: input.hookSession }),
    account,
  );
  const isCompacted = main.unansweredCompaction !== null || known.compactedAt !== null;
  const compactions = main.compactions.length + known.compactions;
  const threshold = thresholdOf(context, input);
  const carried = carriedBy(main, context, known);
  const room = headroom(carried, threshold);
  const growth = main.growth();
  const turns = turnsLeft(room, growth);
  const { last, cachesLong, cacheLife } = main;
  const uncounted = account.untold.get("usage");
  const uncached = account.untold.get("cache");
  const reported = input.hookSession?.cache ?? null;
  const next =
    uncached === undefined
      ? nextCall({ carried, last, isCompacted, cachesLong, cacheLife, reported, now, catalogue })
      : { cost: unknownFigure(uncached), cacheExpiresAt: null };
  const usage = account.own.usage();
  return {
    ...context,
    id: account.id,
    agent: agent.name,
    title: account.title ?? account.firstPrompt,
    cwd: account.cwd,
    workingIn: account.workingIn,
    folder,
    branch: account.branch === null ? null : scrubName(account.branch),
    transcript,
    lastActivity: latestOf(account.lastActivity, input.hookSession),
    asOf: account.asOf,
    live,
    threshold: threshold.figure,
    headroom: room,
    turnsLeft: turns,
    samples: threshold.samples,
    growth: growth.perTurn,
    advice: adviceFor(
      context,
      { threshold: threshold.figure, left: room, turns, compactions, before: input.previous },
      input,
    ),
    thresholds: thresholdsIn(input.settings),
    turns: main.turns,
    prompts: main.prompts,
    toolCalls: account.toolCalls.size,
    usage,
    cost: uncounted === undefined ? account.own.cost(catalogue) : unknownFigure(uncounted),
    official: reconcile(account, catalogue),
    nextCall: next.cost,
    cacheExpiresAt: next.cacheExpiresAt,
    goingOn: priceOfGoingOn(main, {
      carried,
      threshold: threshold.figure,
      isCacheKnown: uncached === undefined && cacheLife !== null,
      now,
      catalogue,
    }),
    cacheRead: uncached === undefined ? cacheReadShare(usage) : unknownFigure(uncached),
    compactions,
    lastCompaction: main.compactions.at(-1)?.compaction ?? null,
    subagents: [
      ...byStart(account.subagents.values()).map((subagent) => snapshotSubagent(subagent, input)),
      ...reportedSubagents(input),
    ],
    skippedLines: Object.fromEntries(account.skipped),
    activity: input.hookSession?.activityNow(main, now) ?? null,
    planLimits: planLimitsOf(input),
  };
}

/** The size at which a context of the session is compacted automatically. */
function thresholdOf(
  { model, window }: ContextSnapshot,
  { agent, config, learned, settings, catalogue }: SnapshotInput,
): Threshold {
  const facts = model === null ? undefined : lookupModel(catalogue, model);
  return compactionThreshold({
    agent: agent.name,
    usualThreshold: agent.reader.usualThreshold,
    model: model ?? "",
    window,
    // An agent knows its own provider's models.
    isKnownModel: facts === undefined ? model === null : facts.provider === "anthropic",
    maxOutput: facts?.maxOutput ?? null,
    config,
    learned,
    fallback: settings.compactAtTokens,
  });
}

/** Adds why the context is unknown, if the agent's files cannot show it. */
function withReason(context: ContextSnapshot, { untold }: SessionAccount): ContextSnapshot {
  const reason = untold.get("context");
  if (reason === undefined || context.occupancy.value !== null) return context;
  return { ...context, occupancy: unknownFigure(reason) };
}

const noSpending = { usedUsd: null, limitUsd: null, period: null };

/** The status line's limits, which arrive at once; else the transcript's. */
function planLimitsOf({ account, hookSession }: SnapshotInput): readonly PlanLimit[] {
  if (hookSession !== undefined && hookSession.planLimits.length > 0) return hookSession.planLimits;
  return account.planLimits.map(({ name, usedPercent, resetsAt }) => ({
    ...noSpending,
    name,
    usedPercent,
    resetsAt,
  }));
}

function latestOf(at: number | null, hookSession: HookSession | undefined): number | null {
  return hookSession === undefined ? at : Math.max(hookSession.at, at ?? hookSession.at);
}

/** A compaction, or other thresholds, reset the advice. */
function adviceFor(
  { occupancy, window }: ContextSnapshot,
  { threshold, left, turns, compactions, before }: AdviceBasis,
  { settings, previous }: SnapshotInput,
): Advice | null {
  const thresholds = thresholdsIn(settings);
  const percent = percentLeft(occupancy, window);
  const share =
    left.value !== null && threshold.value !== null && threshold.value > 0
      ? left.value / threshold.value
      : percent === null
        ? null
        : percent / 100;
  const isSameContext =
    before?.compactions === compactions && isLike(previous?.thresholds ?? null, thresholds);
  const held = isSameContext ? before.advice : null;
  return advise({ turns: turns.value, share, percent }, thresholds, held ?? undefined);
}

/** The percentage of the window that is left. */
function percentLeft(occupancy: Figure, window: Figure): number | null {
  if (occupancy.value === null || window.value === null || window.value <= 0) return null;
  return Math.max(0, 100 - (100 * occupancy.value) / window.value);
}

interface AdviceBasis {
  /** Size at which compaction begins, and tokens and turns until then. */
  readonly threshold: Figure;
  readonly left: Figure;
  readonly turns: Figure;
  readonly compactions: number;
  /** Previous snapshot of the same context. */
  readonly before: Pick<SubagentSnapshot, "advice" | "compactions"> | undefined;
}

function thresholdsIn({ wrapUpAt, endTurnAt }: ContextSettings): AdviceThresholds | null {
  return wrapUpAt === null || endTurnAt === null ? null : { wrapUpAt, endTurnAt };
}

/** Advice under other thresholds does not hold the new advice back. */
function isLike(one: AdviceThresholds | null, other: AdviceThresholds | null): boolean {
  return one?.wrapUpAt === other?.wrapUpAt && one?.endTurnAt === other?.endTurnAt;
}

/** Oldest first, whatever the order in which their files were read. */
function byStart(subagents: Iterable<SubagentAccount>): SubagentAccount[] {
  return [...subagents].sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (a.id < b.id ? -1 : 1));
}

/**
 * Older versions do not record that a subagent ended: one with a last response that ends its turn has ended. One that
 * has been silent for longer than this was stopped without a record. Milliseconds.
 */
const maxSilence = 10 * 60_000;

function snapshotSubagent(subagent: SubagentAccount, input: SnapshotInput): SubagentSnapshot {
  const { id, facts, chain, responses, lastActivity } = subagent;
  const isQuiet = lastActivity === null || input.now - lastActivity > maxSilence;
  const endedAt = input.hookSession?.subagents.get(id)?.endedAt ?? null;
  const isEnded = endedAt !== null && (lastActivity ?? 0) <= endedAt + trailing;
  const context = describeContext(chain, input);
  const compactions = chain.compactions.length;
  const before = input.previous?.subagents.find((each) => each.id === id);
  const threshold = thresholdOf(context, input);
  const left = headroom(carriedBy(chain, context, { context: null }), threshold);
  const turns = turnsLeft(left, chain.growth());
  return {
    ...context,
    id,
    advice: adviceFor(context, { threshold: threshold.figure, left, turns, compactions, before }, input),
    compactions,
    type: facts.type,
    description: facts.description,
    transcript: input.subagentTranscripts.get(id) ?? null,
    running: facts.finished !== true && !chain.ended && !isEnded && input.live && !isQuiet,
    tokens: totalTokens(responses.usage()),
    lastActivity,
  };
}

/** A subagent's last rows may be written after its end hook. Milliseconds. */
const trailing = 5000;

/** Subagents that have started and have no transcript yet. */
function reportedSubagents({ account, hookSession, now, live }: SnapshotInput): SubagentSnapshot[] {
  return [...(hookSession?.subagents ?? [])]
    .filter(([id, { endedAt }]) => endedAt === null && !account.subagents.has(id))
    .map(([id, { type, startedAt }]) => ({
      model: null,
      window: unknownFigure(sentence("no response yet")),
      occupancy: unknownFigure(sentence("no response yet")),
      percent: null,
      id,
      type,
      description: null,
      transcript: null,
      tokens: 0,
      advice: null,
      compactions: 0,
      running: live && now - startedAt <= maxSilence,
      lastActivity: startedAt,
    }));
}

function reconcile({ official, all }: SessionAccount, catalogue: Catalogue): OfficialCost | null {
  if (official === null) return null;
  const { usd, models, supersededAt } = official;
  const ours = all.cost(catalogue, supersededAt);
  return {
    usd: { value: usd, provenance: "official", source: sentence("the agent's own running total") },
    isOld: supersededAt !== null,
    usage: models.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
    difference:
      ours.value === null
        ? ours
        : {
            value: withoutNoise(usd - ours.value),
            provenance: "estimated",
            source: sentence("calls no transcript row tells of"),
          },
  };
}

/** No call costs less than a billionth of a dollar, and sums of fractions constantly differ by less. */
function withoutNoise(usd: number): number {
  return Math.abs(usd) < 1e-9 ? 0 : usd;
}
