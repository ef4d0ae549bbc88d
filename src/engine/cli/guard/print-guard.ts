import { plural, t, translated } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { describeTime, asLine } from "../terminal-text.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import type { GuardJson } from "./guard-schema.ts";
import { netLine, restingText } from "./net-text.ts";

type Rule = NonNullable<GuardJson["rules"]>[number];

/** Calls that were not judged, each with its reason. */
const maxNotJudged = 5;

/** Characters. */
const [maxExcerptLength, maxNameLength] = [70, 60];

export function listRules(rules: readonly Rule[], style: Style): string {
  if (rules.length === 0) return `${t("This family has no rules on calls.")}\n`;
  const columns: readonly Column[] = [
    { title: t("Rule") },
    { title: t("Family"), dropped: 1 },
    { title: t("Does") },
    { title: t("About"), fit: "end", minWidth: 36 },
  ];
  const rows = rules.map(({ id, family, action, message }) => [id, family, action, asLine(message)]);
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
    `${asLine(message)}\n${asLine(remedy)}\n`,
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
  { modes = [], counts, hits = [], effects = [], outputs, notJudged, net }: GuardJson,
  { style, now }: { readonly style: Style; readonly now: number },
): string {
  const parts = [modeTable(modes, style)];
  if (counts?.length === 0) parts.push(`${t("No rule has fired in this time.")}\n`);
  else if (counts !== undefined) {
    const columns: readonly Column[] = [
      { title: t("Rule"), maxWidth: maxNameLength, fit: "end" },
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
    if ((net?.total.outputs ?? 0) > 0 && net?.total !== undefined) parts.push(netLine(net.total));
    const lines = hits.map(({ rule, excerpt }) => [cleanText(rule), cleanText(excerpt ?? "")]);
    const ofCalls: readonly Column[] = [
      { title: t("Fired on"), maxWidth: maxNameLength, fit: "end" },
      { title: t("The newest calls"), maxWidth: maxExcerptLength, fit: "middle", minWidth: 24 },
    ];
    parts.push(alignColumns(ofCalls, lines, style));
  }
  if (notJudged !== undefined && notJudged.calls > 0) parts.push(notJudgedText(notJudged, now));
  if (effects.length > 0) parts.push(effectTable(effects, style));
  parts.push(outputs === undefined ? "" : leftAloneText(outputs), restingText(net?.resting ?? []));
  return parts.filter((part) => part !== "").join("\n");
}

function notJudgedText({ calls, ran, newest }: NonNullable<GuardJson["notJudged"]>, now: number): string {
  const count = plural(calls, t("Not judged: 1 call."), t("Not judged: {0} calls.", wholeNumber(calls)));
  const passed =
    ran === 0
      ? t("Each was asked about or denied.")
      : plural(
          ran,
          t("1 ran. Required families let none pass."),
          t("{0} ran. Required families let none pass.", wholeNumber(ran)),
        );
  const lines = newest.slice(0, maxNotJudged).map(({ at, program, tool, done, why }) => {
    const about = [
      at === null ? t("time unknown") : describeTime(at, now),
      program === null ? t("unknown agent") : cleanText(agentNames.of(program)),
      tool === null ? t("unknown tool") : cleanText(tool),
      outcomeNames[done] ?? cleanText(done),
    ];
    return `  ${about.join(", ")}: ${why}`;
  });
  return [`${count} ${passed}`, ...lines, ""].join("\n");
}

function savedText(counts: NonNullable<GuardJson["counts"]>): string {
  const savedBy = (isDone: boolean) =>
    counts.reduce(
      (sum, { done, savedBytes }) => ((done !== "observed") === isDone ? sum + savedBytes : sum),
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
function leftAloneText({ besides, rivals }: NonNullable<GuardJson["outputs"]>): string {
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
  return lines.map((line) => `${line}\n`).join("");
}

type RuleFile = NonNullable<GuardJson["files"]>[number];

const stateNames: Readonly<Record<RuleFile["state"], string>> = {
  read: "",
  off: t("disabled"),
  untrusted: t("not used: its folder is not trusted (purser guard trust)"),
  faulty: t("has errors; its last valid content applies"),
};

export function filesText(files: readonly RuleFile[], style: Style): string {
  const lines = files.flatMap(({ name, kind, state, rules, faults }) => {
    const own = rules.length === 0 ? "" : `: ${rules.map(cleanText).join(" ")}`;
    const isUnread = kind === "hookify" && state === "faulty" && rules.length === 0;
    const why = isUnread ? t("not imported") : stateNames[state];
    const told = state === "read" ? own : ` (${why})${own}`;
    const imported = kind === "hookify" && rules.length > 0 ? style.dim(` ${t("imported")}`) : "";
    return [
      `${cleanText(name)}${imported}${told}`,
      ...faults.map(({ line, message }) => style.warning(`  ${t("line {0}: {1}", line, asLine(message))}`)),
    ];
  });
  return `${style.bold(t("Rule files"))}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

type Effect = NonNullable<GuardJson["effects"]>[number];

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
    { title: t("Rule"), maxWidth: maxNameLength, fit: "end" },
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
    `  ${t("reported {0} times: {1}", wholeNumber(advised + asked + denied), known.join(", "))}`,
    ...(effect.helpsAtMost === null ? [] : [`  ${t("advice: {0}", describeHelp(effect))}`]),
    ...(effect.isSilent ? [`  ${t("{0} reactivates it", `purser guard wake ${rule}`)}`] : []),
    "",
  ].join("\n");
}

function describeHelp({ helpsAtMost, isSilent }: Effect): string {
  if (helpsAtMost === null) return "";
  const share = wholeNumber(helpsAtMost * 100);
  return isSilent ? t("at most {0}%: silent", share) : t("at most {0}%", share);
}
