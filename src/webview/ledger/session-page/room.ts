import { percent, wholeNumber } from "../../../engine/base/text/format.ts";
import type { SessionPage, SessionTurn } from "../../../engine/ledger/answers.ts";
import type { Band, Level, Mark } from "../../components/charts/series.ts";
import { plural } from "../../components/figures.ts";
import type { SessionWork } from "../protocol.ts";

/** The window of a session's context with what happens in it. */
export interface Room {
  readonly window: number;
  /** Whether the window is by the catalogue only. */
  readonly isEstimated: boolean;
  /** Where compaction begins; null where unknown. Tokens. */
  readonly compaction: number | null;
  /** Occupancy from which to wrap up, and to end the turn; null without the live view's thresholds. Tokens. */
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
    isEstimated: room?.window === null || room === null,
    compaction: compaction !== null && compaction < window ? compaction : null,
    advice:
      room === null
        ? null
        : {
            wrapUp: (window * (100 - room.wrapUpAt)) / 100,
            endTurn: (window * (100 - room.endTurnAt)) / 100,
          },
  };
}

export function levelsOf({ window, isEstimated, compaction }: Room): readonly Level[] {
  const name = `window ${isEstimated ? "~" : ""}${wholeNumber(window)}`;
  const levels = [{ name, value: window }];
  return compaction === null
    ? levels
    : [...levels, { name: `compaction ~${wholeNumber(compaction)}`, value: compaction }];
}

export function bandsOf({ window, advice, compaction }: Room): readonly Band[] {
  if (advice === null) return [];
  const end = compaction ?? window;
  const { wrapUp, endTurn } = advice;
  const bands: Band[] = [
    { name: "wrap up", from: wrapUp, to: Math.min(endTurn, end), tone: "doubt" },
    { name: "end the turn", from: endTurn, to: end, tone: "bad" },
  ];
  return bands.filter(({ from, to }) => to > from);
}

/** Marks the turns at which the context grew into a band: there the advice was given. */
export function adviceMarks(
  turns: readonly Pick<SessionTurn, "occupancy">[],
  { advice }: Room,
): readonly Mark[] {
  if (advice === null) return [];
  return turns.flatMap(({ occupancy }, column) => {
    const before = column === 0 ? 0 : (turns[column - 1]?.occupancy ?? 0);
    const passed = (level: number) => before < level && occupancy >= level;
    if (passed(advice.endTurn)) return [{ column, name: "end the turn" }];
    return passed(advice.wrapUp) ? [{ column, name: "wrap up" }] : [];
  });
}

/** `11%`: the share of the window that is used. */
export function shareOf(tokens: number, { window }: Room): string {
  return percent((100 * tokens) / window);
}

/** What the lines of the chart mean, in words. */
export function describeRoom(
  room: Room,
  { compactions, advice }: { readonly compactions: number; readonly advice: readonly Mark[] },
): string {
  const given = (name: string) => advice.filter((mark) => mark.name === name).length;
  const [wrapUp, endTurn] = [given("wrap up"), given("end the turn")];
  const parts = [
    `The window is ${room.isEstimated ? "~" : ""}${wholeNumber(room.window)} tokens`,
    ...(room.compaction === null ? [] : [`compaction begins at ~${wholeNumber(room.compaction)}`]),
    `it was compacted ${plural(compactions, "time", "times")}`,
    ...(room.advice === null
      ? []
      : [
          `advised to wrap up ${plural(wrapUp, "time", "times")}, to end the turn ${plural(endTurn, "time", "times")}`,
        ]),
  ];
  return `${parts.join("; ")}.`;
}
