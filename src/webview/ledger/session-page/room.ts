import { percent, wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";
import type { SessionPage } from "../../../engine/ledger/ledger-answers.ts";
import type { Band, Level } from "../../components/charts/series.ts";
import type { SessionWork } from "../ledger-protocol.ts";
import { about } from "../../components/figures.ts";

/** The window of a session's context with what happens in it. */
export interface Room {
  readonly window: number;
  /** Whether the window is by the catalogue only, or assumed: shares of it are then estimates too. */
  readonly isEstimated: boolean;
  /** The context size at which compaction begins; null if unknown. Tokens. */
  readonly compaction: number | null;
  /** Occupancy from which to wrap up, and to end the turn; null where unknown. Tokens. */
  readonly advice: { readonly wrapUp: number; readonly endTurn: number } | null;
}

/** Returns the context's limits: the live view's where it follows the session, else the ledger's. Null without a window. */
export function roomOf(
  { window: estimated, compactions }: Pick<SessionPage, "window" | "compactions">,
  room: SessionWork["room"],
): Room | null {
  const window = room?.window ?? estimated;
  if (window === null || window <= 0) return null;
  const begun = compactions.flatMap(({ trigger, agentId, preTokens }) =>
    trigger === "auto" && agentId === null && preTokens !== null ? [preTokens] : [],
  );
  const compaction = room?.compaction ?? (begun.length === 0 ? null : Math.min(...begun));
  return {
    window,
    isEstimated: room?.window === null || room?.isWindowEstimated !== false,
    compaction: compaction !== null && compaction < window ? compaction : null,
    advice: room?.advice ?? null,
  };
}

/** Names of the two pieces of advice. */
const adviceNames = { wrapUp: t("wrap up"), endTurn: t("end the turn") };

function windowText({ window, isEstimated }: Pick<Room, "window" | "isEstimated">): string {
  return `${isEstimated ? "~" : ""}${wholeNumber(window)}`;
}

export function levelsOf({ window, isEstimated, compaction }: Room): readonly Level[] {
  const name = t("window {0}", windowText({ window, isEstimated }));
  const levels = [{ name, value: window }];
  return compaction === null
    ? levels
    : [...levels, { name: t("compaction ~{0}", wholeNumber(compaction)), value: compaction }];
}

export function bandsOf({ window, advice, compaction }: Room): readonly Band[] {
  if (advice === null) return [];
  const end = compaction ?? window;
  const { wrapUp, endTurn } = advice;
  const bands: Band[] = [
    { name: adviceNames.wrapUp, from: wrapUp, to: Math.min(endTurn, end), tone: "doubt" },
    { name: adviceNames.endTurn, from: endTurn, to: end, tone: "bad" },
  ];
  return bands.filter(({ from, to }) => to > from);
}

/** `11%`, or `~11%`: the share of the window that is used. */
export function shareOf(tokens: number, { window, isEstimated }: Room): string {
  const share = percent((100 * tokens) / window);
  return isEstimated ? about(share) : share;
}

/** The meaning of the chart's lines, in words. */
export function describeRoom(room: Room, compactions: number): string {
  const parts = [
    t("The window is {0} tokens", windowText(room)),
    ...(room.compaction === null ? [] : [t("compaction begins at ~{0}", wholeNumber(room.compaction))]),
    plural(
      compactions,
      t("it was compacted 1 time"),
      t("it was compacted {0} times", wholeNumber(compactions)),
    ),
  ];
  return `${parts.join("; ")}.`;
}
