import { stripVTControlCharacters } from "node:util";

/** Whether a line, or a part of one, says that something was left out. */
export const isNotice = (line: string) => /\[… \d[\d,]* .+ left out …\]/u.test(line);

/** The states of all lines as a terminal got them, without colours. */
export function statesOf(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(/[\r\n]/u)
    .map((line) => line.replaceAll("\b", ""));
}

/** The first line that does not stand in the other list after those before it; null where all do. */
export function firstStray(lines: readonly string[], all: readonly string[]): string | null {
  let at = 0;
  for (const line of lines) {
    at = all.indexOf(line, at) + 1;
    if (at === 0) return line;
  }
  return null;
}

/** Puts lines together again that were written without what they share. Spaces between columns stay narrow. */
export function restoredLines(text: string): string[] {
  const [notice = "", ...lines] = text.split("\n");
  if (notice.includes("of a line's start left out")) {
    const start = /… stands for "(?<start>.*)"$/u.exec(notice)?.groups?.["start"] ?? "";
    return lines.map((line) => (line.startsWith("… ") ? start + line.slice(2) : line));
  }
  if (notice.includes("of an equal line left out") || notice.includes("of equal lines left out")) {
    const known = new Map<string, string>();
    return lines.map((line) => {
      const { number = "", rest } = /^(?<number>\(=\d+\))(?: (?<rest>.*))?$/su.exec(line)?.groups ?? {};
      if (number === "") return line;
      if (rest !== undefined) known.set(number, rest);
      return known.get(number) ?? line;
    });
  }
  if (notice.includes("between columns left out")) return lines;
  return ungrouped([notice, ...lines]);
}

/** A line without its spaces between columns. */
export function narrowed(line: string): string {
  return line
    .replaceAll(/ +/gu, " ")
    .replaceAll(/ ?([|│┃]) ?/gu, "$1")
    .trimEnd();
}

/** Lines that were grouped by their file, folder or minute. */
function ungrouped(lines: readonly string[]): string[] {
  const notice = lines[0] ?? "";
  const [isByFile, isByFolder, isByTime] = [
    notice.includes("of a file's name left out"),
    notice.includes("of a folder's name left out"),
    notice.includes("of a day, hour and minute left out"),
  ];
  if (!isByFile && !isByFolder && !isByTime) return [...lines];
  const form = isByFile ? /^\d+[:-]/u : isByFolder ? /^ {2}\S/u : /^\d\d(?!\d)/u;
  const isEntry = (line: string | undefined) => line !== undefined && form.test(line);
  let header = "";
  return lines.slice(1).flatMap((line, index) => {
    if (isEntry(line)) {
      const between = isByFile ? (/^\d+(?<sign>[:-])/u.exec(line)?.groups?.["sign"] ?? "") : "";
      return [header + between + (isByFolder ? line.slice(2) : line)];
    }
    header = line;
    return isEntry(lines[index + 2]) ? [] : [line];
  });
}
