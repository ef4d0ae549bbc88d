import * as z from "zod/mini";
import { sentence, t } from "../../base/language.ts";
import { aboutDollars, percent as percentText, wholeNumber } from "../../base/local-format.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { namedByStart } from "../../rules/named-by-start.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { LiveSnapshot } from "../../sessions/session-requests.ts";
import { belongsTo } from "../../base/paths.ts";
import type { SessionSnapshot } from "../../sessions/snapshot.ts";
import { ownSession } from "../../transcripts/agents.ts";
import type { CliHost } from "../cli-ports.ts";
import type { Style } from "../style.ts";
import { described } from "../../base/sentence-schema.ts";
import type { Figure } from "../../usage/token-counts.ts";
import { adviceLevels } from "../../sessions/advice.ts";

const tokens = z.nullable(z.int().check(z.nonnegative()));
const percent = z.nullable(z.number().check(z.minimum(0), z.maximum(100)));

export const checkJson = z
  .strictObject({
    schema: z.literal(1),
    session: z.string(),
    cli: described(z.string(), "The agent whose session it is."),
    timestamp: described(z.iso.datetime(), "When this was read."),
    tokenLimit: described(tokens, "The context window."),
    tokensUsed: described(tokens, "What the last request put into it; null where nobody knows."),
    tokensRemaining: tokens,
    percentUsed: percent,
    percentRemaining: percent,
    provenance: described(
      z.enum(["official", "measured", "estimated", "unknown"]),
      "Who says what was used: the agent, or it was counted.",
    ),
    tokensUntilCompaction: described(tokens, "Until the agent compacts its context by itself."),
    tenTurnsUsd: described(
      z.nullable(z.number()),
      "List price of ten more turns in this session, with a warm cache; null where it cannot be estimated.",
    ),
    tenTurnsFreshUsd: described(
      z.nullable(z.number()),
      "The same turns in a new session that begins with a handover.",
    ),
    recommendation: described(
      z.nullable(z.enum(adviceLevels)),
      "Null where neither the window nor the compaction is known.",
    ),
    thresholds: described(
      z.nullable(
        z.strictObject({
          wrapUpAt: z.number().check(z.minimum(0), z.maximum(100)),
          endTurnAt: z.number().check(z.minimum(0), z.maximum(100)),
        }),
      ),
      "The user's own limits, in percent of the window left; null if the advice goes by the room until compaction.",
    ),
  })
  .check(z.meta({ title: "purser status --session ID --json" }));
type CheckJson = z.infer<typeof checkJson>;

/** An agent's name for its own session where it does not know the id. */
export const current = "current";

/**
 * `wanted` is an id or the start of one. `current` is the session of the agent that started us, else the one last active in this folder. For an
 * unknown session, such as a subagent's, it is the only live one of the same agent in this folder.
 */
export function chosenSession(
  { sessions }: LiveSnapshot,
  wanted: string,
  { env, cwd }: Pick<CliHost, "env" | "cwd">,
): Result<SessionSnapshot, "no_such_session"> {
  const own = wanted === current ? ownSession(env) : null;
  const id = wanted === current ? (own?.id ?? "") : wanted;
  if (id === "") {
    const here = sessions.find((session) => isLiveIn(session, cwd));
    return here === undefined
      ? fail("no_such_session", sentence("no session is live in this folder"))
      : succeed(here);
  }
  const named = namedByStart(sessions, id, (session) => session.id);
  if (named.kind === "one") return succeed(named.item);
  // A tool of a Copilot subagent gets an id that no file contains.
  const parents = sessions.filter((each) => each.agent === own?.agent && isLiveIn(each, cwd));
  const [parent] = parents;
  if (named.kind === "none" && parent !== undefined && parents.length === 1) return succeed(parent);
  const shown = printedJson(id.slice(0, 60));
  return fail(
    "no_such_session",
    named.kind === "none"
      ? sentence("no session of the last week has the ID {0}", shown)
      : sentence("several sessions begin with {0}: give more of it", shown),
  );
}

function isLiveIn({ live, cwd, workingIn }: SessionSnapshot, folder: string): boolean {
  return live && isHere([cwd, workingIn], folder);
}

function isHere(places: readonly (string | null)[], folder: string): boolean {
  const { platform } = process;
  return places.some((one) => one !== null && belongsTo(one, [folder], { platform }));
}

export function checkOf(session: SessionSnapshot, now: number): CheckJson {
  const { id, agent, window, occupancy, percent, headroom, advice, thresholds, goingOn } = session;
  const [limit, used] = [window.value, occupancy.value];
  const share = percent === null ? null : Number(percent.toFixed(2));
  return {
    schema: 1,
    session: id,
    cli: agent,
    timestamp: new Date(now).toISOString(),
    tokenLimit: limit,
    tokensUsed: used,
    tokensRemaining: limit === null || used === null ? null : Math.max(0, limit - used),
    percentUsed: share,
    percentRemaining: share === null ? null : Number((100 - share).toFixed(2)),
    provenance: occupancy.provenance,
    tokensUntilCompaction: headroom.value === null ? null : Math.max(0, Math.round(headroom.value)),
    tenTurnsUsd: roundedUsd(goingOn.here),
    tenTurnsFreshUsd: roundedUsd(goingOn.fresh),
    recommendation: advice,
    thresholds: thresholds === null ? null : { ...thresholds },
  };
}

function roundedUsd({ value }: Figure): number | null {
  return value === null ? null : Number(value.toFixed(6));
}

export function checkText(check: CheckJson, style: Style): string {
  const { tokensUsed, tokenLimit, percentUsed, tokensUntilCompaction, recommendation, session } = check;
  const known = tokensUsed !== null && tokenLimit !== null && percentUsed !== null;
  const context = known
    ? t("{0} of {1} tokens ({2})", wholeNumber(tokensUsed), wholeNumber(tokenLimit), percentText(percentUsed))
    : t("how full its context is, is unknown");
  const room =
    tokensUntilCompaction === null
      ? ""
      : `; ${t("{0} until compaction", wholeNumber(tokensUntilCompaction))}`;
  const { tenTurnsUsd: here, tenTurnsFreshUsd: fresh } = check;
  const price =
    here === null || fresh === null
      ? ""
      : `; ${t("10 more turns: {0} here, {1} in a new session", aboutDollars(here), aboutDollars(fresh))}`;
  return `${cleanText(session)}: ${context}${room}${price}; ${adviceText(recommendation, style)}\n`;
}

function adviceText(advice: CheckJson["recommendation"], style: Style): string {
  if (advice === "END_TURN") return style.error(advice);
  return advice === "WRAP_UP" ? style.warning(advice) : (advice ?? t("no advice"));
}
