/** A part of a page. Texts are plain: without marks, and with links in words. */
export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "item"; readonly mark: string; readonly text: string }
  | { readonly kind: "code"; readonly lines: readonly string[] }
  | { readonly kind: "table"; readonly header: readonly string[]; readonly rows: readonly string[][] };

/**
 * Reads the Markdown that the guide is written in: headings, paragraphs, lists of one level, tables, and blocks of code. Pictures and comments
 * are left out.
 */
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
 * Returns a text without marks. A link to another page names the command that prints it; one to the web has its address. What is between
 * backticks stays as it is; backticks remain around several words, where one could not see them end.
 */
function plain(text: string): string {
  const codes: string[] = [];
  return text
    .replaceAll(/`([^`]*)`/gu, (_, code: string) => `\u{e000}${codes.push(code) - 1}\u{e001}`)
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/gu, "")
    .replaceAll(/\[([^\]]*)\]\(([^)]*)\)/gu, (_, words: string, target: string) => inWords(words, target))
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
