import { isoTime } from "../terminal-text.ts";
import * as z from "zod/mini";
import type { Sentence } from "../../base/language.ts";
import type { LiveSnapshot, ContextSnapshot } from "../../sessions/session-requests.ts";
import type { OfficialCost, SessionSnapshot, SubagentSnapshot } from "../../sessions/snapshot.ts";
import { type Activity, activityStates } from "../../sessions/reported.ts";
import { ledgerItself } from "../../ledger/remedy.ts";
import { totalTokens, cacheCreation, type Figure } from "../../usage/token-counts.ts";
import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import { allAgentNames } from "../../transcripts/agents.ts";
import { adviceLevels } from "../../sessions/advice.ts";

const tokens = z.int().check(z.nonnegative());
const provenance = described(
  z.enum(["official", "measured", "estimated", "unknown"]),
  "Who says so: the agent, its API or the user; counted; modelled; or nobody knows (then null).",
);
const source = described(sentenceSchema, "What the figure rests on, in words.");
const money = z.strictObject({
  usd: described(z.nullable(z.number()), "US dollars."),
  provenance,
  source,
});
const window = z.strictObject({ tokens: z.nullable(tokens), provenance, source });
const context = z.strictObject({
  tokens: described(z.nullable(tokens), "Occupancy: what the last request put into the window."),
  percent: described(z.nullable(z.number().check(z.minimum(0), z.maximum(100))), "Of the window."),
  provenance,
  source,
});

export const statusJson = z
  .strictObject({
    schema: z.literal(1),
    sessions: z.array(
      z.strictObject({
        id: z.string(),
        agent: z.enum(allAgentNames),
        title: z.nullable(z.string()),
        cwd: described(z.nullable(z.string()), "Folder the session began in."),
        branch: z.nullable(z.string()),
        model: z.nullable(z.string()),
        live: described(z.boolean(), "Has a process now, or changed lately."),
        lastActivity: z.nullable(z.iso.datetime()),
        asOf: described(
          z.nullable(z.iso.datetime()),
          "When the agent last wrote its file, where it writes only now and then; null for others.",
        ),
        transcript: z.string(),
        window,
        context,
        headroom: z.strictObject({
          tokens: described(z.nullable(tokens), "Until automatic compaction."),
          turns: described(z.nullable(tokens), "Main-chain API responses until then, at the recent growth."),
          provenance,
          samples: described(tokens, "Compactions the threshold was learned from."),
          source: sentenceSchema,
        }),
        growth: described(z.nullable(z.number()), "Tokens the context grows by in a turn."),
        advice: z.nullable(z.enum(adviceLevels)),
        turns: described(tokens, "Main-chain API responses so far."),
        toolCalls: described(tokens, "Tool calls so far, each once, subagents' included."),
        usage: z.strictObject({
          input: tokens,
          output: tokens,
          cacheCreation: tokens,
          cacheRead: tokens,
        }),
        cost: z.extend(money, {
          official: described(
            z.nullable(
              z.extend(money, {
                tokens: described(tokens, "All tokens of the agent's own total."),
                isOld: described(z.boolean(), "The total is from before the session was resumed."),
                difference: described(money, "The agent's total less ours of the same responses."),
              }),
            ),
            "The agent's own running total, where it tells one.",
          ),
        }),
        nextCall: described(money, "Sending the present context once more."),
        goingOn: z.strictObject({
          coldCall: described(money, "The next call once the cache has expired."),
          here: described(money, "Ten more turns in this session, with a warm cache."),
          fresh: described(money, "The same turns in a new session that begins with a handover."),
        }),
        subagents: z.array(
          z.strictObject({
            id: z.string(),
            type: z.nullable(z.string()),
            description: z.nullable(z.string()),
            model: z.nullable(z.string()),
            running: z.boolean(),
            window,
            context,
            tokens: described(tokens, "All tokens its responses used."),
            advice: described(z.nullable(z.enum(adviceLevels)), "On its own context."),
          }),
        ),
        compactions: tokens,
        activity: described(
          z.nullable(
            z.strictObject({
              state: z.enum(activityStates),
              since: z.iso.datetime(),
              error: described(z.nullable(z.string()), "Why the last turn failed, in the agent's word."),
            }),
          ),
          "As hooks tell it; null where none do.",
        ),
        planLimits: described(
          z.array(
            z.strictObject({
              name: z.string(),
              percent: described(
                z.number().check(z.minimum(0)),
                "Used; more than 100 where a limit can be passed.",
              ),
              resetsAt: z.nullable(z.iso.datetime()),
              usedUsd: described(z.nullable(z.number()), "Only of a limit of spending."),
              limitUsd: z.nullable(z.number()),
              period: described(z.nullable(z.string()), "What the limit applies to, in the agent's word."),
            }),
          ),
          "As the agent's status line tells them, where that is chained.",
        ),
        skippedLines: described(z.record(z.string(), tokens), "Lines left out, by kind."),
      }),
    ),
    roots: described(z.array(z.string()), "Folders looked in."),
    problems: described(
      z.array(z.strictObject({ path: z.string(), reason: sentenceSchema })),
      "What could not be read, and settings that are not used.",
    ),
  })
  .check(z.meta({ title: "purser status --json" }));

export type StatusJson = z.infer<typeof statusJson>;

type SessionJson = StatusJson["sessions"][number];

export function statusToJson(
  { roots, problems, settingProblems, ledgerProblem }: LiveSnapshot,
  sessions: readonly SessionSnapshot[],
): StatusJson {
  return {
    schema: 1,
    sessions: sessions.map(sessionToJson),
    roots: roots.map(({ path }) => path),
    problems: [
      ...(ledgerProblem === undefined ? [] : [{ path: ledgerItself, reason: ledgerProblem }]),
      ...settingProblems,
      ...problems,
    ].map(({ path, reason }) => ({ path, reason })),
  };
}

function sessionToJson(session: SessionSnapshot): SessionJson {
  const { headroom, turnsLeft, threshold, usage, official } = session;
  return {
    id: session.id,
    agent: session.agent,
    title: session.title,
    cwd: session.cwd,
    branch: session.branch,
    model: session.model,
    live: session.live,
    lastActivity: session.lastActivity === null ? null : new Date(session.lastActivity).toISOString(),
    asOf: isoTime(session.asOf?.at ?? null),
    transcript: session.transcript,
    ...contextToJson(session),
    headroom: {
      tokens: headroom.value,
      turns: turnsLeft.value,
      provenance: headroom.provenance,
      samples: session.samples,
      source: headroom.value === null ? headroom.source : threshold.source,
    },
    growth: rounded(session.growth.value, 0),
    advice: session.advice,
    turns: session.turns,
    toolCalls: session.toolCalls,
    usage: {
      input: usage.input,
      output: usage.output,
      cacheCreation: cacheCreation(usage),
      cacheRead: usage.cacheRead,
    },
    cost: { ...moneyToJson(session.cost), official: official === null ? null : officialToJson(official) },
    nextCall: moneyToJson(session.nextCall),
    goingOn: {
      coldCall: moneyToJson(session.goingOn.coldCall),
      here: moneyToJson(session.goingOn.here),
      fresh: moneyToJson(session.goingOn.fresh),
    },
    subagents: session.subagents.map(subagentToJson),
    compactions: session.compactions,
    activity: session.activity === null ? null : activityToJson(session.activity),
    planLimits: session.planLimits.map(({ name, usedPercent, resetsAt, usedUsd, limitUsd, period }) => ({
      name,
      percent: usedPercent,
      resetsAt: isoTime(resetsAt),
      usedUsd,
      limitUsd,
      period,
    })),
    skippedLines: session.skippedLines,
  };
}

function activityToJson({ state, at, error }: Activity): NonNullable<SessionJson["activity"]> {
  return { state, since: new Date(at).toISOString(), error };
}

function contextToJson({
  window,
  occupancy,
  percent,
}: ContextSnapshot): Pick<SessionJson, "window" | "context"> {
  return {
    window: { tokens: window.value, provenance: window.provenance, source: window.source },
    context: {
      tokens: occupancy.value,
      percent: rounded(percent, 2),
      provenance: occupancy.provenance,
      source: occupancy.source,
    },
  };
}

function subagentToJson(subagent: SubagentSnapshot): SessionJson["subagents"][number] {
  const { id, type, description, model, running, tokens, advice } = subagent;
  return { id, type, description, model, running, ...contextToJson(subagent), tokens, advice };
}

function officialToJson({
  usd,
  usage,
  isOld,
  difference,
}: OfficialCost): NonNullable<SessionJson["cost"]["official"]> {
  return { ...moneyToJson(usd), tokens: totalTokens(usage), isOld, difference: moneyToJson(difference) };
}

/** Rounds to a millionth of a dollar, which is less than any token costs. */
function moneyToJson({ value, provenance, source }: Figure): {
  usd: number | null;
  provenance: Figure["provenance"];
  source: Sentence;
} {
  return { usd: rounded(value, 6), provenance, source };
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}
