import { occupancy } from "../../usage/token-counts.ts";
import type { Chain } from "../sessions/chain.ts";
import type { ToldContext, ToldSession } from "./session.ts";
import type { WindowEvidence } from "../window.ts";

/** What of the main chain's context was told and holds now: newer than anything the transcript has. */
export interface ToldNow {
  /** Null where the transcript's own word holds. */
  readonly context: ToldContext | null;
  /** Compactions that no row tells of yet. */
  readonly compactions: number;
  /** When the last of these was. Milliseconds since the epoch. */
  readonly compactedAt: number | null;
  /** The model in use, where that is not the last response's. By the agent's own name, a suffix included. */
  readonly model: string | null;
}

const nothing: ToldNow = { context: null, compactions: 0, compactedAt: null, model: null };

/**
 * Holds what was told against the transcript. Whichever is newer counts; where both say the same, the transcript does, unless
 * the agent told its own figure of just that response.
 */
export function toldNow(main: Chain, told: ToldSession | undefined): ToldNow {
  if (told === undefined) return nothing;
  const pending = told.pendingCompactions(main);
  const compactedAt = pending.at(-1)?.at ?? null;
  const rowAt = (main.fresh ?? main.last)?.at ?? (main.last === null ? -Infinity : Infinity);
  const { context, model } = told;
  const isNewest = context !== null && context.at > Math.max(rowAt, compactedAt ?? -Infinity);
  return {
    context: isNewest && !isOld(context, main) ? context : null,
    compactions: pending.length,
    compactedAt,
    model: model !== null && model.at > rowAt ? model.name : null,
  };
}

/** A figure that the transcript has, or had before its last response: what told it was under way meanwhile. */
function isOld({ tokens, isCarried }: ToldContext, main: Chain): boolean {
  if (isCarried) return main.carried() === tokens;
  const { last } = main;
  const isLast = main.fresh === null && last !== null && occupancy(last.usage) === tokens;
  return !isLast && main.occupancies.includes(tokens);
}

/** What tells of the window: the transcript's evidence, with the model in use and the window the agent says it has. */
export function evidenceWith(
  main: Chain,
  { model }: Pick<ToldNow, "model">,
  told: ToldSession | undefined,
): WindowEvidence | null {
  const evidence = main.evidence(model === null ? undefined : plainModel(model));
  if (evidence === null) return null;
  const window = told?.window ?? null;
  const isSame = window !== null && (window.model === null || plainModel(window.model) === evidence.model);
  return {
    ...evidence,
    requested: model === null ? evidence.requested : [...evidence.requested, model],
    ...(isSame ? { told: window.tokens } : {}),
  };
}

/** As the API names it: without `[1m]`. */
export function plainModel(model: string): string {
  return model.replace(/\[[^\]]*\]$/u, "");
}
