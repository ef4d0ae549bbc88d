import { aboutDollars, estimatedNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { cleanText, inMarkdown } from "../../engine/base/text.ts";
import type { LintFinding, LintFix } from "../../engine/instructions/lint.ts";
import type { FileUse, TextRent } from "../../engine/instructions/section-rent.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { inWords, compose } from "../../engine/base/language.ts";

/** `~312 tokens · ~$0.04 a week`, or `~12,800 a week` where no price is known. */
export function rentTitle(rent: TextRent, t: Translate): string {
  const { part, tokens } = rent;
  const size = tokens === 1 ? t("~1 token") : t("~{0} tokens", estimatedNumber(tokens));
  const week = weekText(rent, t);
  const figure = week === "" ? size : `${size} · ${week}`;
  switch (part) {
    case "file":
      return t("Whole file: {0}", figure);
    case "description":
      return t("Description: {0}", figure);
    case "section":
      return figure;
  }
}

/** The total of a week. Empty if unknown. */
function weekText({ tokens, times, isAtMost, usd }: TextRent, t: Translate): string {
  if (times === null) return "";
  const sum = usd === null ? `~${estimatedNumber(tokens * times)}` : aboutDollars(usd);
  return isAtMost ? t("up to {0} a week", sum) : t("{0} a week", sum);
}

/** The longest name of a section in a row. Characters. */
const maxNameLength = 80;

/** All rents of a file as a page: the tokens of each part, how often it is sent, and the total. */
export function rentPage(rents: readonly TextRent[], file: string, t: Translate): string {
  const nameOf = ({ part, title }: TextRent) => {
    if (part === "section") return inMarkdown(title ?? "", maxNameLength);
    return part === "file" ? t("Whole file") : t("Description, in every conversation");
  };
  const rows = rents.map((rent) => {
    const times = rent.times === null ? "–" : timesText(rent, rent.times, t);
    const sum = rent.times === null ? "–" : `~${estimatedNumber(rent.tokens * rent.times)}`;
    const usd = rent.usd === null ? "–" : aboutDollars(rent.usd);
    return `| ${nameOf(rent)} | ~${estimatedNumber(rent.tokens)} | ${times} | ${sum} | ${usd} |`;
  });
  const [whole] = rents;
  return [
    `# ${t("What {0} costs", inMarkdown(file, maxNameLength))}`,
    "",
    t("Agents read this file by themselves: its text is put into their context each time."),
    "",
    `| ${[t("Part"), t("Tokens"), t("Last 7 days"), t("Tokens a week"), t("Cost a week")].join(" | ")} |`,
    "| :--- | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
    ...(whole === undefined ? [] : [rentTooltip(whole, t), ""]),
    t(
      "**Measure** above a heading in the file compares with and without that part, and names the price first.",
    ),
    "",
  ].join("\n");
}

/** The source of the figures, and their total. */
export function rentTooltip(rent: TextRent, t: Translate): string {
  const { tokens, times, how, isAtMost, per, usd } = rent;
  const size = t("Tokens are estimated: {0}.", inWords(how));
  if (times === null)
    return [size, t("How often it is read is not known yet: purser has not read the transcripts.")].join(" ");
  const count = {
    sessions: t("Sessions of the last 7 days are counted from transcripts: measured."),
    runs: t("Runs of this agent in the last 7 days are counted from transcripts: measured."),
    uses: t("Uses of this skill in the last 7 days are counted from transcripts: measured."),
    wakes: t("Wakes of the last 7 days with a new session are counted as they were recorded: measured."),
  }[per];
  const condition = isAtMost ? [t("It names paths, so it is only read together with such files.")] : [];
  return [
    t("About {0} tokens a week: it is sent with each of these.", wholeNumber(tokens * times)),
    size,
    count,
    ...(usd === null
      ? []
      : [
          t(
            "The cost is estimated from what a token in a context cost you last week, read from the cache at each call.",
          ),
        ]),
    ...condition,
  ].join(" ");
}

/** Describes a finding in instructions with its remedy and its cost. */
export function findingText(
  { message, remedy }: LintFinding,
  { tokens, times, per }: FileUse & { readonly tokens: number },
  t: Translate,
): string {
  const size = tokens === 1 ? t("~1 token") : t("~{0} tokens", estimatedNumber(tokens));
  const each = {
    sessions: t("{0} a session", size),
    runs: t("{0} a run", size),
    uses: t("{0} a use", size),
    wakes: t("{0} a wake", size),
  }[per];
  const cost = times === null ? each : t("{0}, ~{1} a week", each, estimatedNumber(tokens * times));
  return `${inWords(compose`${message} ${remedy}`)}\n${cost}`;
}

/** A fix's title names what is in the file: it is cleaned. */
export function fixTitle({ title }: LintFix): string {
  return cleanText(inWords(title));
}

function timesText({ per, isAtMost }: TextRent, times: number, t: Translate): string {
  const many = wholeNumber(times);
  const text = {
    sessions: times === 1 ? t("1 session") : t("{0} sessions", many),
    runs: times === 1 ? t("1 run") : t("{0} runs", many),
    uses: times === 1 ? t("1 use") : t("{0} uses", many),
    wakes: times === 1 ? t("1 wake with a new session") : t("{0} wakes with a new session", many),
  }[per];
  return isAtMost ? t("up to {0}", text) : text;
}
