import { type Sentence, t } from "../../base/language.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { dash } from "../../base/format.ts";
import { decimalNumber, estimatedNumber, wholeNumber } from "../../base/local-format.ts";
import { claudeRoots } from "../../transcripts/claude.ts";
import { type ParsedOptions } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { startIn } from "../day-argument.ts";
import { profileTranscripts, tokensOf } from "./profile-scan.ts";
import type { HookProfileJson } from "./profile-schema.ts";
import { openToRead, unreadable } from "../ledger/ledger-access.ts";
import { hasLedger } from "../ledger/ledger-files.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import { said } from "../language/said.ts";

const usualDays = "7d";
const maxCommandLength = 60;

export async function profileHooks(options: ParsedOptions, host: CliHost): Promise<number> {
  const since = startIn(options, usualDays, host.now());
  const own = await ownHooks(since, host);
  const { hooks, problems } = profileTranscripts(claudeRoots(host), { since, signal: host.signal });
  const profile: HookProfileJson = {
    schema: 1,
    since: new Date(since).toISOString(),
    own: own.rows,
    others: hooks,
    problems: [...own.problems, ...problems],
  };
  host.stdout.write(options.has("json") ? `${printedJson(profile, 2)}\n` : profileText(profile, host));
  if (!options.has("json")) for (const problem of profile.problems) host.stderr.write(`${said(problem)}\n`);
  return 0;
}

async function ownHooks(
  since: number,
  host: CliHost,
): Promise<{ rows: HookProfileJson["own"]; problems: readonly Sentence[] }> {
  if (!hasLedger(host)) return { rows: [], problems: [] };
  const ledger = await openToRead(host);
  if (!ledger.ok) return { rows: [], problems: [unreadable(ledger).detail] };
  try {
    const rows = await ledger.value.ask("hookProfile", since);
    return {
      rows: rows.map(({ injectedChars, ...row }) => ({ ...row, injectedTokens: tokensOf(injectedChars) })),
      problems: [],
    };
  } finally {
    await ledger.value.close();
  }
}

const figureColumns: readonly Column[] = [
  { title: t("Hooks"), isFigure: true },
  { title: t("p50 ms"), isFigure: true },
  { title: t("p95 ms"), isFigure: true },
  { title: t("Tokens, about"), isFigure: true },
];

function profileText({ own, others }: HookProfileJson, host: CliHost): string {
  const style = styleFor(host);
  const parts = [
    own.length === 0
      ? `${t("The ledger has no calls of purser's hooks.")}\n`
      : alignColumns(
          [{ title: t("Purser's") }, ...figureColumns],
          own.map((row) => [cleanText(row.event), ...figures(row)]),
          style,
        ),
    others.length === 0
      ? `${t("No transcript of this time mentions hooks.")}\n`
      : alignColumns(
          [
            { title: t("In transcripts") },
            { title: t("Command"), most: maxCommandLength, fit: "middle" },
            ...figureColumns,
          ],
          others.map((row) => [
            cleanText(row.event),
            row.isOwn ? "purser" : cleanText(row.command ?? t("unknown")),
            ...figures(row),
          ]),
          style,
        ),
  ];
  const note = t(
    "Transcripts mention only hooks that said something, and all hooks at the end of a turn; for posted hooks they have no times.",
  );
  return `${parts.join("\n")}${others.length === 0 ? "" : `${note}\n`}`;
}

function figures({ count, p50, p95, injectedTokens }: HookProfileJson["own"][number]): string[] {
  return [
    wholeNumber(count),
    time(p50),
    time(p95),
    injectedTokens === 0 ? dash : `~${estimatedNumber(injectedTokens)}`,
  ];
}

function time(milliseconds: number | null): string {
  if (milliseconds === null) return "?";
  return milliseconds < 10 ? decimalNumber(milliseconds, 1) : wholeNumber(Math.round(milliseconds));
}
