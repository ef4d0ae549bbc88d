import { cellsOf, wrapCells } from "../base/text/cells.ts";
import type { CliHost } from "./ports.ts";
import { styleFor } from "./style.ts";

/** Prints a command's help; in a terminal that is narrower than its lines, with its paragraphs and descriptions broken anew. */
export function printHelp(help: string, host: Pick<CliHost, "env" | "stdout">): void {
  const { width } = styleFor(host);
  const isWide = help.split("\n").every((line) => cellsOf(line) <= width);
  host.stdout.write(
    isWide
      ? help
      : `${blocksOf(help)
          .flatMap((block) => broken(block, width))
          .join("\n")}\n`,
  );
}

/** Joins the lines of a paragraph, and of an entry with its description, to one each. */
function blocksOf(help: string): string[] {
  const blocks: string[] = [];
  for (const line of help.trimEnd().split("\n")) {
    const last = blocks.at(-1) ?? "";
    const isContinued =
      last !== "" &&
      line !== "" &&
      ((/^ {4,}/u.test(line) && !describedEntry.test(line)) || !`${last}${line}`.startsWith(" "));
    // Without a description so far, the entry's next line begins it.
    const between = describedEntry.test(last) || !last.startsWith(" ") ? " " : "  ";
    if (isContinued) blocks.push(`${blocks.pop() ?? ""}${between}${line.trim()}`);
    else blocks.push(line);
  }
  return blocks;
}

const describedEntry = /^(?<head> {2,}\S.*?) {2,}(?<text>\S.*)$/u;
/** Indent of a description below what it describes. Cells. */
const [below, indent] = [6, 2];

function broken(block: string, width: number): string[] {
  if (cellsOf(block) <= width) return [block];
  const { head = "", text = "" } = describedEntry.exec(block)?.groups ?? {};
  if (head === "") {
    const own = block.startsWith(" ") ? indent : 0;
    return wrapCells(block.trim(), width - 2 * own).map(
      (line, index) => " ".repeat(index === 0 ? own : 2 * own) + line,
    );
  }
  const column = block.length - text.length;
  if (column > width / 2)
    return [
      ...broken(head, width),
      ...wrapCells(text, width - below).map((line) => " ".repeat(below) + line),
    ];
  return wrapCells(text, width - column).map((line, index) =>
    index === 0 ? block.slice(0, column) + line : " ".repeat(column) + line,
  );
}
