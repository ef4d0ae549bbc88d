import path from "node:path";
import * as z from "zod/mini";
import { mapSentence, sentence, plural, t } from "../base/language.ts";
import {} from "../base/result.ts";
import { existsSync } from "node:fs";
import { readSmallText } from "../base/files.ts";
import { cleanText } from "../base/text.ts";
import { findInstructions } from "../instructions/instruction-file.ts";
import { type InstructionText, lintFile, lintKinds, type LintKind } from "../instructions/lint.ts";
import { useOfFile, useOfFinding, type WeekOfUse } from "../instructions/section-rent.ts";
import { estimatedTokens } from "../rules/rent.ts";
import { claudeRoots } from "../transcripts/claude.ts";
import { answer } from "./answer.ts";
import { flag, folder, folderIn, jsonOf, oneOf, wrongUsage } from "./args.ts";
import { command } from "./command.ts";
import { readLedger } from "./ledger/ledger-access.ts";
import type { CliHost } from "./cli-ports.ts";
import { styleFor, type Style } from "./style.ts";
import { asLine } from "./terminal-text.ts";
import { described, sentenceSchema } from "../base/sentence-schema.ts";
import { estimatedNumber, wholeNumber } from "../base/local-format.ts";
import { alignColumns, type Column } from "./table.ts";

const count = z.int().check(z.nonnegative());

export const instructionsJson = z.object({
  schema: z.literal(1),
  project: described(z.string(), "The project's folder."),
  files: described(
    z.array(
      z.object({
        file: described(z.string(), "Absolute path."),
        kind: z.enum(["instructions", "rule", "agent", "skill", "recurring"]),
        tokens: described(count, "Estimated: of the whole file."),
        times: described(
          z.nullable(count),
          "Times it was read in the last 7 days; null while the ledger cannot tell.",
        ),
        per: described(z.enum(["sessions", "runs", "uses", "wakes"]), "What is counted."),
        findings: z.array(
          z.object({
            kind: z.enum(lintKinds),
            line: z.int().check(z.positive()),
            column: described(z.int().check(z.positive()), "In UTF-16 units."),
            message: sentenceSchema,
            remedy: sentenceSchema,
            tokens: described(count, "Estimated: what it takes each time the file is read."),
            tokensAWeek: described(z.nullable(count), "Estimated; null while the ledger cannot tell."),
          }),
        ),
      }),
    ),
    "The widest first, in the order in which a session gets them.",
  ),
});

export type InstructionsJson = z.infer<typeof instructionsJson>;

/** Larger files are not instructions. Bytes. */
const maxFileSize = 1_000_000;
const maxWakes = 50_000;
const week = 7 * 24 * 60 * 60_000;

export const instructionsCommand = command({
  name: "instructions",
  title: "what the files that agents read by themselves cost, and what makes them dearer than they need be",
  words: "[--project DIR] [--ignore KIND]... [--strict] [--json]",
  options: {
    project: folder("the project (default: the repository around the current folder)"),
    ignore: oneOf(
      lintKinds,
      "KIND",
      `do not report a kind: ${lintKinds.join(", ")}; can be given more than once`,
    ),
    strict: flag("exit with 1 if anything is found"),
    json: jsonOf("instructions"),
  },
  notes: `
Files are those that agents read without being told to: CLAUDE.md, AGENTS.md, rules, agents and skills, of the project and
your own, and recurring agents. Text
that changes by itself makes the provider read everything behind it again; text that need not be in every context is paid for in each.
Tokens are estimated; how often a file was read in the last 7 days is counted from transcripts.
`,
  run: async ({ options }, host) => {
    const ignored = options.values("ignore");
    const project = folderIn(options, "project", host.cwd) ?? repositoryOf(host.cwd);
    if (!existsSync(project)) return wrongUsage(sentence("there is no folder {0}", project));
    const json = await inspect(
      project,
      lintKinds.filter((kind) => !ignored.includes(kind)),
      host,
    );
    answer(json, () => printInstructions(json, styleFor(host)), { options, host });
    const isClean = json.files.every(({ findings }) => findings.length === 0);
    return options.has("strict") && !isClean ? 1 : 0;
  },
});

async function inspect(
  project: string,
  kinds: readonly LintKind[],
  host: CliHost,
): Promise<InstructionsJson> {
  const since = host.now() - week;
  const counted = await readLedger(host, async (ledger) => ({
    use: await ledger.ask("useCounts", since),
    wakes: await ledger.ask("wakes", { since, project: null, most: maxWakes }),
  }));
  if (!counted.ok) host.stderr.write(`purser instructions: ${asLine(counted.detail)}\n`);
  const known = counted.ok ? counted.value : null;
  const use: WeekOfUse | null = known && { ...known.use, wakes: known.wakes };
  const charactersPerToken = use?.charactersPerToken ?? [];
  const read = (file: string) => readSmallText(file, maxFileSize);
  const found = await findInstructions({ folders: [project], roots: claudeRoots(host) });
  const all = found.flatMap((each): InstructionText[] => {
    const text = read(each.file);
    return text === null ? [] : [{ ...each, text }];
  });
  const ports = {
    read: (file: string) => Promise.resolve(read(file)),
    home: host.home,
    folders: [project],
    charactersPerToken,
  };
  const files: InstructionsJson["files"] = [];
  for (const each of all) {
    const { times, per } = useOfFile(each.text, each, use);
    const findings = (await lintFile(each, all, ports)).filter(({ kind }) => kinds.includes(kind));
    files.push({
      file: each.file,
      kind: each.kind,
      tokens: estimatedTokens(each.text, charactersPerToken).tokens,
      times,
      per,
      findings: findings.map((finding) => {
        const { kind, span, message, remedy, text } = finding;
        const { tokens } = estimatedTokens(text, charactersPerToken);
        const [line, column] = [span.line + 1, span.column + 1];
        const { times: sent } = useOfFinding(finding, each.text, each, use);
        const tokensAWeek = sent === null ? null : tokens * sent;
        return { kind, line, column, message: mapSentence(message, cleanText), remedy, tokens, tokensAWeek };
      }),
    });
  }
  return { schema: 1, project, files };
}

/** The folder itself outside of any repository. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return at;
    if (path.dirname(at) === at) return folder;
  }
}

type File = InstructionsJson["files"][number];

function printInstructions({ project, files }: InstructionsJson, style: Style): string {
  if (files.length === 0)
    return `${t("No file here is read by agents without being told to: no CLAUDE.md, AGENTS.md, rule, agent or skill.")}\n`;
  const nameOf = ({ file }: File): string => {
    const way = path.relative(project, file);
    return cleanText(way.startsWith("..") ? file : way);
  };
  const columns: readonly Column[] = [
    { title: t("File"), fit: "middle" },
    { title: t("~Tokens"), isFigure: true },
    { title: t("Read in 7 days") },
    { title: t("~Tokens a week"), isFigure: true },
  ];
  const rows = files.map((file) => [
    nameOf(file),
    estimatedNumber(file.tokens),
    file.times === null ? t("unknown") : usesText(file.per, file.times),
    file.times === null ? t("unknown") : estimatedNumber(file.tokens * file.times),
  ]);
  const found = files.flatMap((file) =>
    file.findings.map((finding) => findingText(nameOf(file), finding, style)),
  );
  const end =
    found.length === 0
      ? `${t("Nothing makes them dearer than they need be.")}\n`
      : `${found.join("\n")}\n${plural(found.length, t("1 finding"), t("{0} findings", found.length))}\n`;
  return `${alignColumns(columns, rows, style)}\n${end}`;
}

function usesText(per: File["per"], times: number): string {
  const count = wholeNumber(times);
  switch (per) {
    case "sessions":
      return plural(times, t("1 session"), t("{0} sessions", count));
    case "runs":
      return plural(times, t("1 run"), t("{0} runs", count));
    case "uses":
      return plural(times, t("1 use"), t("{0} uses", count));
    case "wakes":
      return plural(times, t("1 wake with a new session"), t("{0} wakes with a new session", count));
  }
}

function findingText(
  name: string,
  { kind, line, column, message, remedy, tokens, tokensAWeek }: File["findings"][number],
  { bold, dim }: Style,
): string {
  const cost =
    tokensAWeek === null
      ? t("~{0} tokens each time", estimatedNumber(tokens))
      : t("~{0} tokens each time, ~{1} a week", estimatedNumber(tokens), estimatedNumber(tokensAWeek));
  return `${bold(`${name}:${line}:${column}`)} ${dim(kind)}\n  ${asLine(message)}\n  ${asLine(remedy)} ${dim(cost)}\n`;
}
