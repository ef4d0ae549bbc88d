import { t, translated } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import { describeTime } from "../describe-time.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import { effectTable } from "./print-effects.ts";
import type { GuardJson } from "./guard-schema.ts";
import { said } from "../language/said.ts";

type Rule = NonNullable<GuardJson["rules"]>[number];

/** Characters. */
const [maxExcerptLength, maxNameLength] = [70, 60];

export function listRules(rules: readonly Rule[], style: Style): string {
  if (rules.length === 0) return `${t("This family has no rules on calls.")}\n`;
  const columns: readonly Column[] = [
    { title: t("Rule") },
    { title: t("Family"), dropped: 1 },
    { title: t("Does") },
    { title: t("About"), fit: "end", least: 36 },
  ];
  const rows = rules.map(({ id, family, action, message }) => [id, family, action, said(message)]);
  const count = t("{0} rules. purser guard explain ID explains one.", wholeNumber(rules.length));
  return `${alignColumns(columns, rows, style)}\n${count}\n`;
}

export function explainRule(
  { id, family, action, message, remedy, fires, passes }: Rule,
  style: Style,
): string {
  const about = `(${family})`;
  const does = {
    advise: t("{0} advises the agent when its family is on.", about),
    ask: t("{0} asks you first when its family is on.", about),
    deny: t("{0} denies the call when its family is on.", about),
  }[action];
  const examples = (title: string, calls: readonly string[]) =>
    calls.length === 0
      ? ""
      : `${style.bold(title)}\n${calls.map((call) => `  ${translated(call).split("\n").map(cleanText).join("\n    ")}`).join("\n")}\n`;
  return [
    `${style.bold(id)} ${does}\n`,
    `${said(message)}\n${said(remedy)}\n`,
    examples(t("Fires on"), fires),
    examples(t("Does not fire on"), passes),
  ].join("\n");
}

export function modeTable(modes: NonNullable<GuardJson["modes"]>, style: Style): string {
  const columns = [{ title: t("Family") }, { title: t("Mode") }, { title: t("Rules"), isFigure: true }];
  return alignColumns(
    columns,
    modes.map(({ family, mode, rules }) => [family, mode, wholeNumber(rules)]),
    style,
  );
}

const outcomeNames: Readonly<Record<string, string>> = {
  silent: t("silent"),
  observed: t("only observed"),
  advised: t("advised"),
  replaced: t("shortened"),
  repeated: t("already said"),
  withheld: t("withheld (enough advice in this turn)"),
  asked: t("asked"),
  denied: t("denied"),
  unjudged: t("not judged"),
};

export function statusText(
  { modes = [], counts, hits = [], effects = [], outputs }: GuardJson,
  { style, now }: { readonly style: Style; readonly now: number },
): string {
  const parts = [modeTable(modes, style)];
  if (counts?.length === 0) parts.push(`${t("No rule has fired in this time.")}\n`);
  else if (counts !== undefined) {
    const columns: readonly Column[] = [
      { title: t("Rule"), most: maxNameLength, fit: "end" },
      { title: t("Action"), fit: "end" },
      { title: t("Calls"), isFigure: true },
      { title: t("Last") },
    ];
    const rows = counts.map(({ rule, done, count, lastAt }) => [
      cleanText(rule),
      outcomeNames[done] ?? cleanText(done),
      wholeNumber(count),
      lastAt === null ? t("unknown") : describeTime(lastAt, now),
    ]);
    parts.push(alignColumns(columns, rows, style));
    parts.push(savedText(counts));
    const lines = hits.map(({ rule, excerpt }) => [cleanText(rule), cleanText(excerpt ?? "")]);
    const ofCalls: readonly Column[] = [
      { title: t("Fired on"), most: maxNameLength, fit: "end" },
      { title: t("The newest calls"), most: maxExcerptLength, fit: "middle", least: 24 },
    ];
    parts.push(alignColumns(ofCalls, lines, style));
  }
  if (effects.length > 0) parts.push(effectTable(effects, style));
  parts.push(outputs === undefined ? "" : leftAloneText(outputs));
  return parts.filter((part) => part !== "").join("\n");
}

function savedText(counts: NonNullable<GuardJson["counts"]>): string {
  const savedBy = (isDone: boolean) =>
    counts.reduce(
      (sum, { done, savedBytes }) => ((done === "replaced") === isDone ? sum + savedBytes : sum),
      0,
    );
  const [done, possible] = [savedBy(true), savedBy(false)];
  const lines = [
    ...(done > 0
      ? [t("Outputs were shortened by {0} bytes. purser output lists the originals.", wholeNumber(done))]
      : []),
    ...(possible > 0
      ? [
          done > 0
            ? t("Outputs could have been shortened by {0} bytes more.", wholeNumber(possible))
            : t("Outputs could have been shortened by {0} bytes.", wholeNumber(possible)),
        ]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Why outputs are left alone although their family is on. */
function leftAloneText({ besides, rivals, resting }: NonNullable<GuardJson["outputs"]>): string {
  const lines: string[] = [];
  if (rivals.length > 0) {
    lines.push(
      besides
        ? t(
            "Other hooks of Claude Code may replace outputs, so outputs are shortened anyway, and the last answer wins (guardOutputsBesideHooks):",
          )
        : t(
            "Other hooks of Claude Code may replace outputs, so outputs in this folder are not shortened (change this with the setting guardOutputsBesideHooks):",
          ),
    );
    for (const { file, matcher } of rivals)
      lines.push(`  ${cleanText(file)}: PostToolUse ${cutMiddle(cleanText(matcher), maxNameLength)}`);
  }
  for (const { command, compressor } of resting)
    lines.push(
      t(
        "Outputs of {0} are no longer shortened by {1} because their originals were often asked for. To shorten them again: {2}",
        JSON.stringify(cleanText(command)),
        cleanText(compressor),
        `purser output on ${JSON.stringify(cleanText(command))}`,
      ),
    );
  return lines.map((line) => `${line}\n`).join("");
}
