import { wholeNumber } from "../../engine/base/text/format.ts";
import type { TextRent } from "../../engine/instructions/section-rent.ts";
import { provenanceName, type Translate } from "../editor/describe.ts";

/** `312 tokens × 41 sessions a week · estimated` */
export function rentTitle(rent: TextRent, t: Translate): string {
  const { part, tokens, times } = rent;
  const size = tokens === 1 ? t("1 token") : t("{0} tokens", wholeNumber(tokens));
  const cost = times === null ? size : t("{0} × {1}", size, timesText(rent, times, t));
  const figure = `${cost} · ${provenanceName("estimated", t)}`;
  switch (part) {
    case "file":
      return t("Whole file: {0}", figure);
    case "description":
      return t("Description: {0}", figure);
    case "section":
      return figure;
  }
}

/** Where the figures come from, and their total. */
export function rentTooltip(rent: TextRent, t: Translate): string {
  const { tokens, times, how, isAtMost, per } = rent;
  const size = t("Tokens are estimated: {0}.", how);
  if (times === null)
    return [size, t("How often it is read is not known yet: purser has not read the transcripts.")].join(" ");
  const count = {
    sessions: t("Sessions of the last 7 days are counted from transcripts: measured."),
    runs: t("Runs of this agent in the last 7 days are counted from transcripts: measured."),
    uses: t("Uses of this skill in the last 7 days are counted from transcripts: measured."),
  }[per];
  const condition = isAtMost ? [t("It names paths, and is read only with such files.")] : [];
  return [
    t("About {0} tokens a week, each time it is put into a context.", wholeNumber(tokens * times)),
    size,
    count,
    ...condition,
  ].join(" ");
}

function timesText({ per, isAtMost }: TextRent, times: number, t: Translate): string {
  const many = wholeNumber(times);
  const text = {
    sessions: times === 1 ? t("1 session a week") : t("{0} sessions a week", many),
    runs: times === 1 ? t("1 run a week") : t("{0} runs a week", many),
    uses: times === 1 ? t("1 use a week") : t("{0} uses a week", many),
  }[per];
  return isAtMost ? t("up to {0}", text) : text;
}
