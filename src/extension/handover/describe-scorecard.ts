import { aboutDollars, percent, shortNumber } from "../../engine/base/local-format.ts";
import type { MeasureName, Scorecard } from "../../engine/continuity/answers.ts";
import type { Translate } from "../editor/describe-editor.ts";

/** A row of a tooltip's table: name, value, usual value. */
type Row = readonly [name: string, value: string, beside: string];

interface Shown {
  readonly title: (t: Translate) => string;
  readonly figure: (value: number) => string;
}

/** The measures that a tooltip has room for; the session's page has all. */
const shown: Partial<Record<MeasureName, Shown>> = {
  tokens: { title: (t) => t("Tokens a prompt"), figure: shortNumber },
  usd: { title: (t) => t("Price a prompt"), figure: (value) => aboutDollars(value) },
  failures: { title: (t) => t("Failed calls"), figure: (value) => percent(value * 100) },
};

/** Compares an ended session with the median of the user's own; empty for one without a prompt. */
export function scorecardRows(scorecard: Scorecard, t: Translate): Row[] {
  const { prompts, completed, measures, edits, savedByGuards, savedByHandover, savedByPacket } = scorecard;
  if (prompts === 0) return [];
  const rows: Row[] = [[t("Prompts"), t("{0} of {1} completed", completed, prompts), t("measured")]];
  for (const { name, value, usual } of measures) {
    const measure = shown[name];
    if (value === null || measure === undefined) continue;
    const beside = usual === null ? t("usual unknown") : t("usually {0}", measure.figure(usual));
    rows.push([measure.title(t), measure.figure(value), beside]);
  }
  if (edits !== null && edits.edited > 0)
    rows.push([t("Edited files"), t("{0} of {1} checked", edits.verified, edits.edited), t("measured")]);
  const saved = [
    ...(savedByGuards === null ? [] : [t("~{0} by guards", shortNumber(savedByGuards))]),
    ...(savedByHandover === null ? [] : [t("~{0} by a handover", shortNumber(savedByHandover))]),
    ...(savedByPacket === null ? [] : [t("~{0} by a packet", shortNumber(savedByPacket))]),
  ];
  if (saved.length > 0) rows.push([t("Tokens saved"), saved.join(", "), t("estimated")]);
  return rows;
}
