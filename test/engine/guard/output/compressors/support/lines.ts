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

/** Puts lines together again that were grouped by their file or folder. */
export function ungrouped(text: string): string[] {
  const lines = text.split("\n");
  const notice = lines[0] ?? "";
  const [isByFile, isByFolder, isByTime] = [
    notice.includes("of a file's name left out"),
    notice.includes("of a folder's name left out"),
    notice.includes("of a day, hour and minute left out"),
  ];
  if (!isByFile && !isByFolder && !isByTime) return lines;
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
