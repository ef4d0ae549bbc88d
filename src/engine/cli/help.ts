import { cellsOf, wrapCells } from "../base/text/text-cells.ts";
import { language, translated } from "../base/text/l10n.ts";
import type { CliHost } from "./cli-ports.ts";
import { styleFor } from "./style.ts";

/** Maximum line width of a translated help in a pipe or a file. Cells. */
const maxTranslatedWidth = 140;

/**
 * Prints a command's help, in the language of the texts. Wraps paragraphs and descriptions again if they are
 * translated, or if the terminal is narrower than their lines.
 */
export function printHelp(help: string, host: Pick<CliHost, "env" | "stdout">): void {
  const { width } = styleFor(host);
  const isTranslated = language() !== "en";
  if (!isTranslated && help.split("\n").every((line) => cellsOf(line) <= width)) {
    host.stdout.write(help);
    return;
  }
  const available = isTranslated ? Math.min(width, maxTranslatedWidth) : width;
  const lines = blocksOf(help).flatMap((block) => broken(inLanguage(block), available));
  host.stdout.write(`${lines.join("\n")}\n`);
}

/**
 * Returns the sentences of a help, without names of commands and options: its paragraphs and descriptions,
 * each on one line.
 */
export function helpSentences(help: string): string[] {
  return blocksOf(help).flatMap((block) => {
    const { text } = partsOf(block);
    return text === "" ? [] : [text];
  });
}

function inLanguage(block: string): string {
  const { head, text } = partsOf(block);
  return text === "" ? block : head + translated(text);
}

/** Splits a block into its untranslated head and translatable text. Either may be empty. */
function partsOf(block: string): { readonly head: string; readonly text: string } {
  const same = (
    /^purser(?: \w+)*: /u.exec(block) ?? describedEntry.exec(block)?.groups?.["before"]
  )?.toString();
  const head = same ?? (block.startsWith(" ") ? block : "");
  const text = block.slice(head.length);
  // Columns are of commands to type.
  return / {3}/u.test(text) ? { head: block, text: "" } : { head, text };
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

const describedEntry = /^(?<before>(?<head> {2,}\S.*?)(?<! ) {2,})(?<text>\S.*)/u;
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
