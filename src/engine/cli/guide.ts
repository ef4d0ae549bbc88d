import path from "node:path";
import { describeUnknownWord, usageError } from "./args.ts";
import { withRemedies } from "./doctor/remedies.ts";
import { groupsOf } from "./first-page.ts";
import { pageOf, printHelp, rowsOf, type HelpPage } from "./help.ts";
import type { CliHost } from "./cli-ports.ts";
import type { CommandEntry } from "./declaration.ts";
import { textIfThere } from "../base/files.ts";
import { t } from "../base/language.ts";
import { styleFor, type Style } from "./style.ts";
import { wrapCells } from "./text-cells.ts";
import { alignColumns } from "./table.ts";

type Commands = Readonly<Record<string, CommandEntry>>;

/** A page of the guide, else a command's help. Without a word, all commands and pages. */
export async function helpOn(word: string | undefined, host: CliHost, commands: Commands): Promise<number> {
  if (word === undefined || word === "--help" || word === "-h") {
    printHelp(mainHelp(commands), host);
    return 0;
  }
  const entry = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (Object.hasOwn(topics, word)) {
    const command = entry === undefined ? null : word;
    return await withRemedies("help", host.stderr, (stderr) => printPage(word, command, { ...host, stderr }));
  }
  if (entry === undefined) {
    const known = [...Object.keys(commands), ...Object.keys(topics)];
    return usageError("", describeUnknownWord("topic", word, known), host);
  }
  printHelp(pageOf((await entry.load()).declaration), host);
  return 0;
}

export function mainHelp(commands: Commands): HelpPage {
  return {
    name: "purser",
    title: "the context budget of coding agents",
    sections: [
      ...groupsOf(commands, (name) => commands[name]?.summary),
      rowsOf({
        "purser COMMAND --help": "options of a command",
        "purser help TOPIC": "a page of the guide",
        "purser version": "the version",
      }),
      "Topics of the guide:",
      rowsOf(topics),
    ],
  };
}

/** Texts are plain: without marks, and with links in words. */
type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "item"; readonly mark: string; readonly text: string }
  | { readonly kind: "code"; readonly lines: readonly string[] }
  | { readonly kind: "table"; readonly header: readonly string[]; readonly rows: readonly string[][] };

/** Reads the guide's Markdown: headings, paragraphs, flat lists, tables, code blocks. Leaves out pictures and comments. */
export function blocksOf(markdown: string): Block[] {
  const lines = markdown.replaceAll(/<!--.*?-->/gsu, "").split(/\r?\n/u);
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const { block, next } = blockAt(lines, at);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(
  lines: readonly string[],
  at: number,
): { readonly block: Block | null; readonly next: number } {
  const line = lines[at] ?? "";
  if (line.trim() === "") return { block: null, next: at + 1 };
  if (line.startsWith("```")) {
    const end = indexFrom(lines, at + 1, (each) => each.startsWith("```"));
    return { block: { kind: "code", lines: lines.slice(at + 1, end) }, next: end + 1 };
  }
  if (line.startsWith("|")) {
    const next = indexFrom(lines, at, (each) => !each.startsWith("|"));
    const [header = [], , ...rows] = lines.slice(at, next).map(cellsIn);
    return { block: { kind: "table", header, rows }, next };
  }
  const heading = /^#+ (.*)$/u.exec(line);
  if (heading !== null) return { block: { kind: "heading", text: plain(heading[1] ?? "") }, next: at + 1 };
  const next = indexFrom(lines, at + 1, (each) => each.trim() === "" || startsBlock.test(each));
  const item = /^(?<mark>[-*]|\d+\.) +/u.exec(line);
  const text = plain(
    [line.slice(item?.[0].length ?? 0), ...lines.slice(at + 1, next)].map((each) => each.trim()).join(" "),
  );
  if (item !== null) return { block: { kind: "item", mark: item.groups?.["mark"] ?? "-", text }, next };
  return { block: text === "" ? null : { kind: "paragraph", text }, next };
}

const startsBlock = /^(?:#+ |\||```|(?:[-*]|\d+\.) )/u;

function indexFrom(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const found = lines.slice(from).findIndex(isEnd);
  return found === -1 ? lines.length : from + found;
}

function cellsIn(row: string): string[] {
  return row
    .replace(/^\|/u, "")
    .replace(/\|\s*$/u, "")
    .split(/(?<!\\)\|/u)
    .map((cell) => plain(cell.replaceAll(String.raw`\|`, "|")).replaceAll("`", ""));
}

/**
 * Removes marks. A link to a page becomes its command, a web link keeps its address. Code stays as it is; only code of several words keeps its
 * backticks.
 */
function plain(text: string): string {
  const codes: string[] = [];
  return text
    .replaceAll(/`([^`]*)`/gu, (_, code: string) => `\u{e000}${codes.push(code) - 1}\u{e001}`)
    .replaceAll(/!\[[^[\]]*\]\([^()]*\)/gu, "")
    .replaceAll(/\[([^[\]]*)\]\(([^()]*)\)/gu, (_, words: string, target: string) => inWords(words, target))
    .replaceAll(/\*\*(.+?)\*\*/gu, "$1")
    .replaceAll(/(?<!\w)_(?=\S)(.+?)_(?!\w)/gu, "$1")
    .replaceAll(/\u{e000}(\d+)\u{e001}/gu, (_, index: string) => shownCode(codes[Number(index)] ?? ""))
    .trim();
}

function shownCode(code: string): string {
  return code.includes(" ") ? `\`${code}\`` : code;
}

function inWords(words: string, target: string): string {
  if (/^https?:/u.test(target)) return words === target ? words : `${words} (${target})`;
  const page = /^([a-z-]+)\.md(?:#.*)?$/u.exec(target)?.[1];
  return page === undefined ? words : `${words} (purser help ${page})`;
}

/** Longer lines are hard to read. Cells. */
const maxWidth = 100;

/** Only lines of code may be wider than the terminal. */
export function pageText(markdown: string, style: Style): string {
  const fitted: Style = { ...style, width: Math.min(style.width, maxWidth) };
  let text = "";
  let last: Block["kind"] | null = null;
  for (const block of blocksOf(markdown)) {
    const isNextItem = block.kind === "item" && last === "item";
    text += `${last === null || isNextItem ? "" : "\n"}${blockText(block, fitted)}\n`;
    last = block.kind;
  }
  return text;
}

function blockText(block: Block, style: Style): string {
  switch (block.kind) {
    case "heading":
      return wrapCells(block.text, style.width).map(style.bold).join("\n");
    case "paragraph":
      return wrapCells(block.text, style.width).join("\n");
    case "item": {
      const mark = `${block.mark} `;
      return wrapCells(block.text, style.width - mark.length)
        .map((line, index) => (index === 0 ? mark : " ".repeat(mark.length)) + line)
        .join("\n");
    }
    case "code":
      // Code is copied, so its lines stay whole.
      return block.lines.map((line) => `  ${line}`.trimEnd()).join("\n");
    case "table":
      return alignColumns(
        block.header.map((title) => ({ title, fit: "wrap" as const })),
        block.rows,
        style,
      ).trimEnd();
  }
}

/** `command` has the page's name, and its options in its own help. */
async function printPage(
  topic: string,
  command: string | null,
  host: Pick<CliHost, "env" | "guide" | "stderr" | "stdout">,
): Promise<number> {
  const file = path.join(host.guide, `${topic}.md`);
  const text = await textIfThere(file);
  if (text === null) {
    host.stderr.write(`purser: ${t("there is no {0}. Install purser again.", file)}\n`);
    return 1;
  }
  const more = command === null ? "" : `\n${t("Options: {0}", `purser ${command} --help`)}\n`;
  host.stdout.write(pageText(text, styleFor(host)) + more);
  return 0;
}

/** In reading order. Each name is a file in `media/guide`. */
export const topics: Readonly<Record<string, string>> = {
  "status-bar": "what the status bar shows, and when to act on it",
  sample: "look at a month of recorded work, without an agent",
  usage: "where the tokens went: Usage, by day, project, model and tool",
  machines: "the usage of your other machines, merged into one ledger",
  hooks: "let the agent know how full its context is, and what each agent supports",
  budgets: "limit the tokens of a project, a branch, an agent or a session",
  guard: "check each tool call of an agent before it runs, and shorten long outputs",
  "threat-model": "whom the guard defends against, whom not, and the test of each line",
  "handing-over": "what a compaction lost, and how work goes on in another session",
  learning: "what past sessions teach about a project",
  mcp: "what agents can ask purser",
  "recurring-agents": "agents that work on tasks by a schedule",
  benchmarks: "measure an agent on fixed tasks, and compare models, prompts and settings",
  rules: "advice for agents that is measured before they get it",
  settings: "every setting, its default, and which value applies",
  terminal: "the commands, their JSON, and completion in a shell",
  privacy: "what is read, stored and written, and when the network is used",
  method: "how measurements are judged, and how well, with the commands that print each figure",
};
