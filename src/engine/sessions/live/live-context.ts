import { contextOf } from "../../usage/api-response.ts";
import type { Chain } from "./chain.ts";
import type { ReportedContext, HookSession } from "../reported.ts";
import type { WindowEvidence } from "../window.ts";
import { sentence } from "../../base/language.ts";

/** Current state of the main chain's context as reported by hooks, where newer than the transcript. */
export interface LiveContext {
  /** Null where the transcript's figure applies. */
  readonly context: ReportedContext | null;
  /** Compactions that no transcript row shows yet. */
  readonly compactions: number;
  /** Time of the last of them. Milliseconds since the epoch. */
  readonly compactedAt: number | null;
  /** Model in use, if it was reported after the last response. The agent's own name, suffix included. */
  readonly model: string | null;
}

const nothing: LiveContext = { context: null, compactions: 0, compactedAt: null, model: null };

/**
 * Merges hook reports with the transcript: the newer one counts. If both agree, the transcript counts, unless the agent
 * reported its own figure for that very response.
 */
export function liveContext(main: Chain, hookSession: HookSession | undefined): LiveContext {
  if (hookSession === undefined) return nothing;
  const pending = hookSession.pendingCompactions(main);
  const compactedAt = pending.at(-1)?.at ?? null;
  const answeredAt =
    (main.unansweredCompaction ?? main.last)?.at ?? (main.last === null ? -Infinity : Infinity);
  const rowAt = Math.max(answeredAt, main.clearedAt ?? -Infinity);
  const { context, model } = hookSession;
  const isNewest = context !== null && context.at > Math.max(rowAt, compactedAt ?? -Infinity);
  return {
    context: isNewest && !isOld(context, main) ? context : null,
    compactions: pending.length,
    compactedAt,
    model: model !== null && model.at > rowAt ? model.name : null,
  };
}

/** True for a figure that the transcript has, or had before its last response: the report arrived late. */
function isOld({ tokens, isCarried }: ReportedContext, main: Chain): boolean {
  if (isCarried) return main.carried() === tokens;
  const { last } = main;
  const isLast = main.unansweredCompaction === null && last !== null && contextOf(last) === tokens;
  return !isLast && main.occupancies.includes(tokens);
}

/** Evidence of the window: the transcript's, plus the model in use and the window the agent reports. */
export function evidenceWith(
  main: Chain,
  { model }: Pick<LiveContext, "model">,
  hookSession: HookSession | undefined,
): WindowEvidence | null {
  const evidence = main.evidence(model === null ? undefined : plainModel(model));
  if (evidence === null) return null;
  const window = hookSession?.window ?? null;
  const isSame = window !== null && (window.model === null || plainModel(window.model) === evidence.model);
  return {
    ...evidence,
    requested: model === null ? evidence.requested : [...evidence.requested, model],
    ...(isSame ? { reported: { tokens: window.tokens, source: sentence("the agent's status line") } } : {}),
  };
}

/** Returns the API's name of the model, without `[1m]`. */
export function plainModel(model: string): string {
  return model.replace(/\[[^[\]]*\]$/u, "");
}
