import { plural, t } from "../../base/language.ts";
import { aboutDollars, decimalNumber, percent, shortNumber, wholeNumber } from "../../base/local-format.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import type { Measure, MeasureName, Scorecard } from "../../continuity/continuity-answers.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column, figures } from "../table.ts";

/** Characters, and lines. */
const [maxLineLength, maxLines] = [110, 6];

const names: Readonly<Record<MeasureName, string>> = {
  tokens: t("New tokens per prompt"),
  usd: t("Cost per prompt, at list prices"),
  cache: t("Read from cache"),
  rereads: t("Repeated file reads"),
  failures: t("Failed calls"),
  loops: t("Loops"),
  compactions: t("Compactions"),
  unverified: t("Files edited but not tested"),
};

const columns: readonly Column[] = [
  { title: t("Compared with your sessions") },
  ...figures(t("This session"), t("Your median")),
];

/** Empty for a session without a prompt. */
export function scorecardText(scorecard: Scorecard, style: Style): string {
  const { prompts, completed, basis, measures, savedByGuards, savedByHandover, savedByPacket, done, open } =
    scorecard;
  if (prompts === 0) return "";
  const rows = measures.map((measure) => [
    names[measure.name],
    shown(measure.name, measure.value),
    shown(measure.name, measure.usual),
  ]);
  const saved = [
    ...(savedByHandover === null ? [] : [t("~{0} tokens by a handover", shortNumber(savedByHandover))]),
    ...(savedByPacket === null ? [] : [t("~{0} tokens by a packet", shortNumber(savedByPacket))]),
  ];
  return [
    alignColumns(columns, rows, style).trimEnd(),
    `${plural(completed, t("1 completed prompt of {0}.", wholeNumber(prompts)), t("{0} completed prompts of {1}.", wholeNumber(completed), wholeNumber(prompts)))} ${basisText(basis)}`,
    ...(savedByGuards === null
      ? []
      : [t("Guards left out ~{0} tokens of outputs.", shortNumber(savedByGuards))]),
    ...(saved.length === 0 ? [] : [t("Saved: {0}", saved.join(", "))]),
    ...lines(t("Done:"), done),
    ...lines(t("Still open:"), open),
    "",
  ].join("\n");
}

function basisText(basis: Scorecard["basis"]): string {
  if (basis === null) return t("No median yet: fewer than 5 other sessions.");
  const count = wholeNumber(basis.sessions);
  return basis.of === "project"
    ? plural(
        basis.sessions,
        t("Compared with 1 other session of yours in this project."),
        t("Compared with {0} other sessions of yours in this project.", count),
      )
    : plural(
        basis.sessions,
        t("Compared with 1 other session of yours with this agent."),
        t("Compared with {0} other sessions of yours with this agent.", count),
      );
}

function shown(name: MeasureName, value: Measure["value"]): string {
  if (value === null) return t("unknown");
  switch (name) {
    case "tokens":
      return wholeNumber(value);
    case "usd":
      return aboutDollars(value);
    case "loops":
    case "compactions":
      return Number.isInteger(value) ? wholeNumber(value) : decimalNumber(value, 1);
    case "cache":
    case "rereads":
    case "failures":
    case "unverified":
      return percent(value * 100);
  }
}

function lines(title: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const more = all.length > maxLines ? [`  ${t("and {0} more", wholeNumber(all.length - maxLines))}`] : [];
  const newest = all.slice(-maxLines).map((line) => `  ${cutMiddle(cleanText(line), maxLineLength)}`);
  return [title, ...newest, ...more];
}
