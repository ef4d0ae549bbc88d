import path from "node:path";
import { wholeNumber } from "../../base/text/format.ts";
import { cleanText } from "../../base/text/text.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import type { InstructionsJson } from "./schema.ts";

type File = InstructionsJson["files"][number];

/** Every name and text is one line, whatever it contains. */
export function printInstructions({ project, files }: InstructionsJson, style: Style): string {
  if (files.length === 0)
    return "No file here is read by agents without being told to: no CLAUDE.md, AGENTS.md, rule, agent or skill.\n";
  const nameOf = ({ file }: File): string => {
    const way = path.relative(project, file);
    return cleanText(way.startsWith("..") ? file : way);
  };
  const columns: readonly Column[] = [
    { title: "File", fit: "middle" },
    { title: "~Tokens", isFigure: true },
    { title: "Read in 7 days" },
    { title: "~Tokens a week", isFigure: true },
  ];
  const rows = files.map((file) => [
    nameOf(file),
    wholeNumber(file.tokens),
    file.times === null ? "unknown" : `${wholeNumber(file.times)} ${unitOf(file)}`,
    file.times === null ? "unknown" : wholeNumber(file.tokens * file.times),
  ]);
  const found = files.flatMap((file) =>
    file.findings.map((finding) => findingText(nameOf(file), finding, style)),
  );
  const end =
    found.length === 0
      ? "Nothing makes them dearer than they need be.\n"
      : `${found.join("\n")}\n${found.length} ${found.length === 1 ? "finding" : "findings"}\n`;
  return `${alignColumns(columns, rows, style)}\n${end}`;
}

const units = { sessions: "session", runs: "run", uses: "use" } as const;

function unitOf({ times, per }: File): string {
  return times === 1 ? units[per] : per;
}

function findingText(
  name: string,
  { kind, line, column, message, remedy, tokens, tokensAWeek }: File["findings"][number],
  { bold, dim }: Style,
): string {
  const cost =
    tokensAWeek === null
      ? `~${wholeNumber(tokens)} tokens each time`
      : `~${wholeNumber(tokens)} tokens each time, ~${wholeNumber(tokensAWeek)} a week`;
  return `${bold(`${name}:${line}:${column}`)} ${dim(kind)}\n  ${message}\n  ${remedy} ${dim(cost)}\n`;
}
