import { type Sentence, sentence, t } from "../../base/language.ts";
import os from "node:os";
import { purserPaths } from "../../base/paths.ts";
import { dollars, shortNumber, wholeNumber } from "../../base/local-format.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { GuardReplay } from "../../guard/guard-answers.ts";
import { replayHistory } from "../../guard/guard-files.ts";
import type { GuardFamily } from "../../settings/guard.ts";
import { withOverrides, builtInCatalogue } from "../../usage/catalogue.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { settingsStore } from "../settings-access.ts";
import { styleFor, type Style } from "../style.ts";
import { alignColumns, type Column, figures } from "../table.ts";
import { asLine } from "../terminal-text.ts";

export interface AskedHistory {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly family: GuardFamily | null;
  readonly isJson: boolean;
}

export async function playHistory(
  { since, family, isJson }: AskedHistory,
  host: CliHost,
): Promise<Result<number>> {
  const onProblem = (problem: Sentence) => host.stderr.write(`purser guard: ${asLine(problem)}\n`);
  const settings = settingsStore(host, onProblem);
  const isShown = host.stderr.isTTY === true;
  try {
    const played = await replayHistory({
      env: host.env,
      home: host.home,
      purser: purserPaths(host),
      temporary: os.tmpdir(),
      clock: { now: host.now },
      since,
      family,
      catalogue: withOverrides(builtInCatalogue, settings.now().models).catalogue,
      charactersPerToken: await charactersPerToken(host),
      signal: host.signal,
      onProgress: (files, of) => {
        if (isShown)
          host.stderr.write(`\r\u001b[K${t("{0} of {1} files", wholeNumber(files), wholeNumber(of))}`);
      },
      onProblem,
    });
    if (isShown) host.stderr.write("\r\u001b[K");
    if (!played.ok) return fail("cancelled", sentence("interrupted"));
    const text = isJson
      ? `${printedJson({ schema: 1, ...played.value }, 2)}\n`
      : describeReplay(played.value, styleFor(host));
    host.stdout.write(text);
    return succeed(0);
  } finally {
    settings.dispose();
  }
}

/** Empty without a ledger: tokens are then estimated without it. */
async function charactersPerToken(host: CliHost): Promise<readonly number[]> {
  const read = await readLedger(host, (ledger) => ledger.ask("rentFacts", null));
  return read.ok ? (read.value?.charactersPerToken ?? []) : [];
}

const outcomeNames: Readonly<Record<string, string>> = {
  advise: t("advise the agent"),
  ask: t("ask you"),
  deny: t("deny the call"),
};
/** Characters. */
const [maxExcerptLength, maxNameLength] = [80, 60];
const maxRules = 12;

function describeReplay(replay: GuardReplay, style: Style): string {
  const { rules, outputs, files, sessions, calls, leftOut } = replay;
  const parts = [
    `${t("{0} tool calls of {1} sessions since {2}, checked against today's rules. Nothing was run or changed.", wholeNumber(calls), wholeNumber(sessions), replay.since.slice(0, 10))}\n`,
  ];
  if (rules.length === 0) parts.push(`${t("No rule would have fired.")}\n`);
  else parts.push(ruleTable(rules, style), newestCalls(rules, style));
  parts.push(describeOutputs(outputs, style));
  const left = [
    ...(leftOut.files === 0
      ? []
      : [t("{0} of {1} files, which cannot be read", wholeNumber(leftOut.files), wholeNumber(files))]),
    t("rules of the family {0}, which depend on the files of that time", leftOut.families.join(", ")),
    t("VS Code's own chats, which keep no outputs"),
  ];
  parts.push(style.dim(`${t("Left out: {0}.", left.join("; "))}\n`));
  return parts.join("\n");
}

function ruleTable(rules: GuardReplay["rules"], style: Style): string {
  const columns: readonly Column[] = [
    { title: t("Rule"), maxWidth: maxNameLength, fit: "end" },
    { title: t("Family") },
    { title: t("Would") },
    ...figures(t("Calls"), t("Sessions")),
  ];
  const rows = rules.map(({ rule, family, action, count, sessions }) => [
    cleanText(rule),
    family,
    outcomeNames[action] ?? cleanText(action),
    wholeNumber(count),
    wholeNumber(sessions),
  ]);
  return alignColumns(columns, rows, style);
}

const callColumns: readonly Column[] = [
  { title: t("Fires on"), maxWidth: maxNameLength, fit: "end" },
  { title: t("Day"), dropped: 1 },
  { title: t("Newest calls"), maxWidth: maxExcerptLength, fit: "middle", minWidth: 24 },
];

function newestCalls(rules: GuardReplay["rules"], style: Style): string {
  const rows = rules
    .slice(0, maxRules)
    .flatMap(({ rule, newest }) =>
      newest
        .slice(0, 2)
        .map(({ at, excerpt }) => [
          cleanText(rule),
          at === null ? "" : new Date(at).toISOString().slice(0, 10),
          cleanText(excerpt),
        ]),
    );
  return alignColumns(callColumns, rows, style);
}

function describeOutputs({ total, byRule, how }: GuardReplay["outputs"], style: Style): string {
  if (total.outputs === 0) return `${t("No output would have been shortened.")}\n`;
  const columns: readonly Column[] = [
    { title: t("Shortened outputs"), maxWidth: maxNameLength, fit: "end" },
    ...figures(t("Outputs"), t("Tokens not written"), t("Not read again"), t("List price")),
  ];
  const rows = [...byRule, { rule: t("all"), ...total }].map(
    ({ rule, outputs: count, written, read, usd }) => [
      cleanText(rule),
      wholeNumber(count),
      shortNumber(written),
      shortNumber(read),
      usd === null ? t("unknown") : dollars(usd),
    ],
  );
  const unpriced =
    total.unpriced === 0
      ? ""
      : ` ${t("{0} outputs of models without a known price are not included in the price.", wholeNumber(total.unpriced))}`;
  const basis = t(
    "Tokens are {0}. An output is written to the context once, and read again by each later call until the next compaction.",
    asLine(how),
  );
  return `${alignColumns(columns, rows, style)}\n${basis}${unpriced}\n`;
}
