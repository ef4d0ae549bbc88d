import { plural, t } from "../../base/language.ts";
import { amount, wholeNumber } from "../../base/local-format.ts";
import { cleanText, foreignProjectName } from "../../base/text.ts";
import type { LedgerGrouping } from "../../ledger/questions.ts";
import type { SkippedRows } from "../../transcripts/records.ts";
import type { UsageReport, UsageSum } from "../../usage/aggregate.ts";
import { cacheCreation, marked } from "../../usage/token-counts.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { shortIds } from "../sessions/session-names.ts";
import { formatTable, type Column } from "../table.ts";
import { describeTime, asLine } from "../terminal-text.ts";
import { ledgerItself } from "../../ledger/remedy.ts";
import type { UsageOutcome } from "./usage-outcome.ts";
import { describeProblem } from "../ledger/ledger-files.ts";

const titles: Readonly<Record<LedgerGrouping, string>> = {
  day: t("Day"),
  session: t("Session"),
  project: t("Project"),
  model: t("Model"),
  agent: t("Agent"),
  branch: t("Branch"),
  subagent: t("Subagent"),
  tool: t("Tool"),
  skill: t("Skill"),
  server: t("MCP server"),
  machine: t("Machine"),
};
/** The beginning of a title, or of an id, is enough to find a session by; folders and branches are known by both their ends. */
const fits: Readonly<Partial<Record<LedgerGrouping, Pick<Column, "fit" | "minWidth">>>> = {
  session: { fit: "end", minWidth: 16 },
  project: { fit: "middle", minWidth: 24 },
  branch: { fit: "middle", minWidth: 24 },
  tool: { fit: "middle", minWidth: 16 },
  skill: { fit: "middle", minWidth: 16 },
};
const ofId: Column = { title: t("ID"), dropped: 1 };
const ofModel: Column = { title: t("Model"), fit: "middle", minWidth: 17 };
const figures: readonly Column[] = [t("Input"), t("Output"), t("Cache write"), t("Cache read"), t("USD")].map(
  (title) => ({
    title,
    isFigure: true,
  }),
);

/** @param names of sessions, by id; empty for another grouping */
export function printUsage(
  outcome: UsageOutcome,
  host: CliHost,
  names: ReadonlyMap<string, string> = new Map(),
): void {
  const { request, report } = outcome;
  const { env, stdout, stderr } = host;
  const hasModel = request.by !== "model";
  if (report.rows.length === 0) stdout.write(`${nothingFound(outcome)}\n`);
  else {
    const ofKey: Column = { title: titles[request.by], ...fits[request.by] };
    const ids = names.size === 0 ? null : shortIds([...new Set(report.rows.map(({ key }) => key))]);
    const columns = [ofKey, ...(ids === null ? [] : [ofId]), ...(hasModel ? [ofModel] : []), ...figures];
    const totals = [
      t("Total"),
      ...(ids === null ? [] : [""]),
      ...(hasModel ? [""] : []),
      ...cells(report.totals),
    ];
    const rows = tableRows(report, { hasModel, names, ids });
    stdout.write(formatTable(columns, rows, totals, styleFor({ env, stdout })));
  }
  for (const note of notes(outcome)) stderr.write(`${note}\n`);
  if (report.rows.length > 0 && report.totals.usd !== null)
    stdout.write(`${t("USD at list prices, not what you were charged.")}\n`);
  if (outcome.source === "ledger") stdout.write(`${describeAge(outcome, host.now())}\n`);
}

function describeAge({ asOf, problems }: UsageOutcome, now: number): string {
  if (asOf === null)
    return problems.some(({ path }) => path === ledgerItself)
      ? t("From the ledger, which takes in nothing new.")
      : t("From the ledger, which is still reading transcripts.");
  return t("As of {0}, from the ledger", describeTime(asOf, now));
}

interface Keys {
  readonly hasModel: boolean;
  readonly names: ReadonlyMap<string, string>;
  /** Null without a column of ids. */
  readonly ids: ReadonlyMap<string, string> | null;
}

function tableRows({ rows }: UsageReport, { hasModel, names, ids }: Keys): string[][] {
  return rows.map((row, index) => {
    const isFirst = rows[index - 1]?.key !== row.key;
    const key = isFirst ? (names.get(row.key) ?? keyText(row.key)) : "";
    return [
      key,
      ...(ids === null ? [] : [isFirst ? (ids.get(row.key) ?? "") : ""]),
      ...(hasModel ? [cleanText(row.model)] : []),
      ...cells(row),
    ];
  });
}

function keyText(key: string): string {
  const foreign = foreignProjectName(key);
  return foreign === null ? cleanText(key) : t("{0} (another machine)", cleanText(foreign));
}

function cells({ usage, usd, unpriced, standardTier }: UsageSum): string[] {
  const counts = [usage.input, usage.output, cacheCreation(usage), usage.cacheRead];
  return [...counts.map(wholeNumber), money(usd, { unpriced, standardTier })];
}

function money(
  usd: number | null,
  { unpriced, standardTier }: Pick<UsageSum, "unpriced" | "standardTier">,
): string {
  if (usd === null) return t("unknown");
  const figure = marked(amount(usd), standardTier > 0 ? "estimated" : "measured");
  return `${unpriced > 0 ? "≥ " : ""}${figure}`;
}

function nothingFound({ files, roots, request }: UsageOutcome): string {
  const { since, until, project, agent } = request;
  if (files === 0)
    return t("No transcripts. Looked in: {0}", roots.map((root) => cleanText(root)).join(", "));
  const limits = [
    agent === null ? "" : ` ${t("of {0}", agent)}`,
    project === null ? "" : ` ${t("in {0}", cleanText(project))}`,
    since === null ? "" : ` ${t("since {0}", since)}`,
    until === null ? "" : ` ${t("until {0}", until)}`,
  ].join("");
  // The request is a list of its parts, which can follow one another in any language.
  if (files === null) return t("No responses{0} in the ledger.", limits);
  return plural(
    files,
    t("No responses{0} in 1 transcript.", limits),
    t("No responses{0} in {1} transcripts.", limits, wholeNumber(files)),
  );
}

function notes({ report, skipped, problems, withoutLedger }: UsageOutcome): string[] {
  const { unpriced, standardTier } = report.totals;
  const found = problems.map(describeProblem);
  if (withoutLedger !== null)
    found.push(t("Only what transcripts still have is counted, not the ledger: {0}", asLine(withoutLedger)));
  if (unpriced > 0)
    found.push(
      plural(
        unpriced,
        t("No known price for 1 response, of {0}.", unpricedModels(report)),
        t("No known price for {0} responses, of {1}.", wholeNumber(unpriced), unpricedModels(report)),
      ),
    );
  if (standardTier > 0)
    found.push(
      plural(
        standardTier,
        t("1 response of another service tier has the list price of the standard tier."),
        t(
          "{0} responses of another service tier have the list price of the standard tier.",
          wholeNumber(standardTier),
        ),
      ),
    );
  if (report.undated > 0)
    found.push(
      plural(
        report.undated,
        t("Left out 1 response without a readable time."),
        t("Left out {0} responses without a readable time.", wholeNumber(report.undated)),
      ),
    );
  const rows = describeSkipped(skipped);
  if (rows !== "") found.push(t("Left out: {0}.", rows));
  const byRow = skipped?.byRow ?? 0;
  if (byRow > 0)
    found.push(
      plural(
        byRow,
        t("1 response has no id and is counted by its row."),
        t("{0} responses have no id; each is counted by its row.", wholeNumber(byRow)),
      ),
    );
  return found;
}

function unpricedModels({ rows }: UsageReport): string {
  const models = new Set(rows.filter((row) => row.unpriced > 0).map(({ model }) => cleanText(model)));
  return [...models].sort().join(", ");
}

/** Leaves out messages that the agent wrote without a model: they are not responses. */
function describeSkipped(skipped: SkippedRows | null): string {
  if (skipped === null) return "";
  const { malformed, unidentified, oversized } = skipped;
  return [
    malformed > 0
      ? plural(malformed, t("1 malformed row"), t("{0} malformed rows", wholeNumber(malformed)))
      : "",
    unidentified > 0
      ? plural(
          unidentified,
          t("1 response without an id"),
          t("{0} responses without an id", wholeNumber(unidentified)),
        )
      : "",
    oversized > 0
      ? plural(oversized, t("1 row over 64 MiB"), t("{0} rows over 64 MiB", wholeNumber(oversized)))
      : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
