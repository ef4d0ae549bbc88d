import { wholeNumber } from "../../base/text/format.ts";
import { cleanText } from "../../base/text/text.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import type { GuardJson } from "./schema.ts";

type Effect = NonNullable<GuardJson["effects"]>[number];

const longestName = 60;

const figures = [
  ["Followed", "followed"],
  ["Progress", "progress"],
  ["Ignored", "ignored"],
  ["Overridden", "overridden"],
  ["False", "mistaken"],
  ["Unknown", "unknown"],
] as const;

/** Returns a row for each rule that told something, with what came of it. */
export function effectTable(effects: readonly Effect[], style: Style): string {
  if (effects.length === 0) return "No rule has told agents anything yet.\n";
  const columns: readonly Column[] = [
    { title: "Rule", most: longestName, fit: "end" },
    { title: "Told", isFigure: true },
    ...figures.map(([title]) => ({ title, isFigure: true })),
    { title: "Advice helps", fit: "wrap" },
  ];
  const rows = effects.map((effect) => [
    cleanText(effect.rule),
    wholeNumber(effect.advised + effect.asked + effect.denied),
    ...figures.map(([, name]) => wholeNumber(effect[name])),
    describeHelp(effect),
  ]);
  return alignColumns(columns, rows, style);
}

/** Returns what came of one rule, in sentences. */
export function explainEffect(effect: Effect, style: Style): string {
  const { rule, advised, asked, denied } = effect;
  const known = figures.map(([title, name]) => `${title.toLowerCase()} ${wholeNumber(effect[name])}`);
  return [
    style.bold("Results"),
    `  told ${wholeNumber(advised + asked + denied)} times: ${known.join(", ")}`,
    ...(effect.helpsAtMost === null ? [] : [`  advice: ${describeHelp(effect)}`]),
    ...(effect.isSilent ? [`  purser guard wake ${rule} reactivates it`] : []),
    "",
  ].join("\n");
}

function describeHelp({ helpsAtMost, isSilent }: Effect): string {
  if (helpsAtMost === null) return "";
  const share = `at most ${wholeNumber(helpsAtMost * 100)} %`;
  return isSilent ? `${share}: silent` : share;
}
