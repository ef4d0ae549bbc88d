import { cellsOf, padCells, wrapCells } from "./text-cells.ts";
import { translated } from "../base/language.ts";
import type { Options, OptionSpec } from "./args.ts";
import type { CliHost } from "./cli-ports.ts";
import type { Declaration, Part } from "./declaration.ts";
import { styleFor } from "./style.ts";

/** Typed words, which are not translated, and their description. */
interface Row {
  readonly head: string;
  readonly text?: string;
  /** The text is typed, too. */
  readonly isTyped?: boolean;
}

/** Rows below a heading. The groups of a page have their texts in one column. */
interface Group {
  readonly heading: string;
  readonly rows: readonly Row[];
}

/** Texts are English sentences. */
export interface HelpPage {
  readonly name?: string;
  readonly title?: string;
  readonly sections: readonly (string | readonly Row[] | Group)[];
}

export function pageOf(declaration: Declaration): HelpPage {
  const { name, title, terms = {}, notes = "", examples } = declaration;
  const [paragraphs, typed] = [paragraphsIn(notes), rowsOf(examples ?? {})];
  return {
    name: `purser ${name}`,
    title,
    sections: [
      ...usageOf(declaration),
      [...rowsOf(terms), ...optionRows(declaration)],
      ...paragraphs,
      ...(typed.length === 0 ? [] : [typed.map((row) => ({ ...row, isTyped: true }))]),
    ],
  };
}

export function rowsOf(described: Readonly<Record<string, string>>): Row[] {
  return Object.entries(described).map(([head, text]) => ({ head, text }));
}

export function sentencesOf({ title, sections }: HelpPage): string[] {
  const textsOf = (rows: readonly Row[]) =>
    rows.flatMap(({ text, isTyped = false }) => (text === undefined || isTyped ? [] : [text]));
  const texts = sections.flatMap((section) => {
    if (typeof section === "string") return [section];
    return "rows" in section ? [section.heading, ...textsOf(section.rows)] : textsOf(section);
  });
  return [...(title === undefined ? [] : [title]), ...texts];
}

/** In a pipe, a file, or a wider terminal. Cells. */
const maxWidth = 140;
/** A longer head has its description below it. Cells. */
const maxHead = 52;
/** Indentation of a row, and of a description below its head. Cells. */
const [indent, below] = [2, 6];

export function printHelp({ name, title, sections }: HelpPage, host: Pick<CliHost, "env" | "stdout">): void {
  const style = styleFor(host);
  const width = Math.min(style.width, maxWidth);
  const grouped = sections.flatMap((section) =>
    typeof section === "string" || !("rows" in section) ? [] : section.rows,
  );
  const blocks = sections.map((section) => {
    if (typeof section === "string") return wrapCells(translated(section), width);
    if (!("rows" in section)) return rowLines(section, columnOf(section), width);
    const heading = wrapCells(translated(section.heading), width).map(style.bold);
    return [...heading, ...rowLines(section.rows, columnOf(grouped), width)];
  });
  const first =
    name === undefined || title === undefined ? [] : [wrapCells(`${name}: ${translated(title)}`, width)];
  const lines = [...first, ...blocks].map((block) => block.join("\n"));
  host.stdout.write(`${lines.join("\n\n")}\n`);
}

/** Where the texts of rows begin. Cells. */
function columnOf(rows: readonly Row[]): number {
  const heads = rows.flatMap(({ head, text }) => (text === undefined ? [] : [cellsOf(head)]));
  return 2 * indent + Math.max(0, ...heads.filter((cells) => cells <= maxHead));
}

function rowLines(rows: readonly Row[], column: number, width: number): string[] {
  return rows.flatMap(({ head, text = "", isTyped = false }) => {
    const words = isTyped ? text : translated(text);
    if (words === "" || column > width / 2)
      return [...headLines(head, width), ...(words === "" ? [] : hanging(words, below, width))];
    const described = hanging(words, column, width);
    if (cellsOf(head) > maxHead) return [...headLines(head, width), ...described];
    const [first = "", ...rest] = described;
    return [padCells(" ".repeat(indent) + head, column) + first.slice(column), ...rest];
  });
}

function headLines(head: string, width: number): string[] {
  return wrapCells(head, width - 2 * indent).map(
    (line, index) => " ".repeat(index === 0 ? indent : 2 * indent) + line,
  );
}

function hanging(text: string, column: number, width: number): string[] {
  return wrapCells(text, width - column).map((line) => " ".repeat(column) + line);
}

function usageOf({ name, subcommands = {}, ...own }: Declaration): (string | readonly Row[])[] {
  const sections: (string | Row[])[] = [];
  let rows = usageRows(`purser ${name}`, own);
  for (const [word, { heading, ...part }] of Object.entries(subcommands)) {
    if (heading !== undefined) {
      sections.push(rows, heading);
      rows = [];
    }
    rows.push(...usageRows(`purser ${name} ${word}`, part));
  }
  return [...sections, rows];
}

function usageRows(typed: string, { words, does, more = [], subcommands = {}, run }: Part<string>): Row[] {
  const lines = run === undefined ? [] : [{ words, does }, ...more];
  return [
    ...lines.map((line) => ({
      head: [typed, ...(line.words === undefined ? [] : [line.words])].join(" "),
      ...(line.does === undefined ? {} : { text: line.does }),
    })),
    ...Object.entries(subcommands).flatMap(([word, part]) => usageRows(`${typed} ${word}`, part)),
  ];
}

function optionRows({ options = {}, elsewhere }: Declaration): Row[] {
  const described: Options = { ...options, help: helpOption };
  const rows = Object.entries(described).flatMap(([name, spec]) =>
    spec.does === undefined || Object.hasOwn(elsewhere?.options ?? {}, name)
      ? []
      : [{ head: headOf(name, spec), text: spec.does }],
  );
  if (elsewhere === undefined) return rows;
  const heads = Object.entries(elsewhere.options).map(([name, spec]) => headOf(name, spec));
  return [...rows.slice(0, -1), { head: heads.join(", "), text: elsewhere.does }, ...rows.slice(-1)];
}

export const helpOption: OptionSpec = { does: "print this help" };

function headOf(name: string, { name: value }: OptionSpec): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function paragraphsIn(notes: string): string[] {
  return notes
    .trim()
    .split(/\n{2,}/u)
    .map((paragraph) => paragraph.replaceAll("\n", " "))
    .filter((paragraph) => paragraph !== "");
}
