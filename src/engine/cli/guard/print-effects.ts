import { t } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import type { GuardJson } from "./guard-schema.ts";

type Effect = NonNullable<GuardJson["effects"]>[number];

const maxNameLength = 60;

const figures = [
  [t("Followed"), "followed"],
  [t("Progress"), "progress"],
  [t("Ignored"), "ignored"],
  [t("Overridden"), "overridden"],
  [t("False"), "mistaken"],
  [t("Unknown"), "unknown"],
] as const;

export function effectTable(effects: readonly Effect[], style: Style): string {
  if (effects.length === 0) return `${t("No rule has advised an agent yet.")}\n`;
  const columns: readonly Column[] = [
    { title: t("Rule"), most: maxNameLength, fit: "end" },
    { title: t("Advised"), isFigure: true },
    ...figures.map(([title]) => ({ title, isFigure: true })),
    { title: t("Advice helps"), fit: "wrap" },
  ];
  const rows = effects.map((effect) => [
    cleanText(effect.rule),
    wholeNumber(effect.advised + effect.asked + effect.denied),
    ...figures.map(([, name]) => wholeNumber(effect[name])),
    describeHelp(effect),
  ]);
  return alignColumns(columns, rows, style);
}

export function explainEffect(effect: Effect, style: Style): string {
  const { rule, advised, asked, denied } = effect;
  const known = [
    t("followed {0}", wholeNumber(effect.followed)),
    t("progress {0}", wholeNumber(effect.progress)),
    t("ignored {0}", wholeNumber(effect.ignored)),
    t("overridden {0}", wholeNumber(effect.overridden)),
    t("false {0}", wholeNumber(effect.mistaken)),
    t("unknown {0}", wholeNumber(effect.unknown)),
  ];
  return [
    style.bold(t("Results")),
    `  ${t("told {0} times: {1}", wholeNumber(advised + asked + denied), known.join(", "))}`,
    ...(effect.helpsAtMost === null ? [] : [`  ${t("advice: {0}", describeHelp(effect))}`]),
    ...(effect.isSilent ? [`  ${t("{0} reactivates it", `purser guard wake ${rule}`)}`] : []),
    "",
  ].join("\n");
}

function describeHelp({ helpsAtMost, isSilent }: Effect): string {
  if (helpsAtMost === null) return "";
  const share = wholeNumber(helpsAtMost * 100);
  return isSilent ? t("at most {0} %: silent", share) : t("at most {0} %", share);
}
