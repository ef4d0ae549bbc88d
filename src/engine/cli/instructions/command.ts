import { mapSentence, sentence } from "../../base/language.ts";
import { fail } from "../../base/result.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import { readSmallText } from "../../base/files.ts";
import { cleanText } from "../../base/text.ts";
import { findInstructions } from "../../instructions/instruction-file.ts";
import { type InstructionText, lintFile, lintKinds, type LintKind } from "../../instructions/lint.ts";
import { useOfFile, useOfFinding, type WeekOfUse } from "../../instructions/section-rent.ts";
import { estimatedTokens } from "../../rules/rent.ts";
import { claudeRoots } from "../../transcripts/claude.ts";
import { answer } from "../answer.ts";
import { flag, folder, folderIn, jsonOf, oneOf } from "../args.ts";
import { command } from "../command.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { printInstructions } from "./print-instructions.ts";
import type { InstructionsJson } from "./instructions-schema.ts";
import { said } from "../language/said.ts";

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
    if (!existsSync(project)) return fail("bad_argument", sentence("there is no folder {0}", project));
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
  if (!counted.ok) host.stderr.write(`purser instructions: ${said(counted.detail)}\n`);
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
