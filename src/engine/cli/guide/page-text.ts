import { wrapCells } from "../../base/text/text-cells.ts";
import { alignColumns } from "../table.ts";
import type { Style } from "../style.ts";
import { blocksOf, type Block } from "./markdown.ts";

/** Longest line of a page, however wide the terminal is: longer ones are hard to read. Cells. */
const widest = 100;

/** Returns a page of the guide as text for a terminal. Only lines of code may be wider than the terminal. */
export function pageText(markdown: string, style: Style): string {
  const fitted: Style = { ...style, width: Math.min(style.width, widest) };
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
      // Code stays as it is written, since it is copied.
      return block.lines.map((line) => `  ${line}`.trimEnd()).join("\n");
    case "table":
      return alignColumns(
        block.header.map((title) => ({ title, fit: "wrap" as const })),
        block.rows,
        style,
      ).trimEnd();
  }
}
