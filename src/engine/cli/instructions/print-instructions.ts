import { plural, t } from "../../base/language.ts";
import path from "node:path";
import { estimatedNumber, wholeNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import { said } from "../language/said.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import type { InstructionsJson } from "./instructions-schema.ts";

type File = InstructionsJson["files"][number];

export function printInstructions({ project, files }: InstructionsJson, style: Style): string {
  if (files.length === 0)
    return `${t("No file here is read by agents without being told to: no CLAUDE.md, AGENTS.md, rule, agent or skill.")}\n`;
  const nameOf = ({ file }: File): string => {
    const way = path.relative(project, file);
    return cleanText(way.startsWith("..") ? file : way);
  };
  const columns: readonly Column[] = [
    { title: t("File"), fit: "middle" },
    { title: t("~Tokens"), isFigure: true },
    { title: t("Read in 7 days") },
    { title: t("~Tokens a week"), isFigure: true },
  ];
  const rows = files.map((file) => [
    nameOf(file),
    estimatedNumber(file.tokens),
    file.times === null ? t("unknown") : usesText(file.per, file.times),
    file.times === null ? t("unknown") : estimatedNumber(file.tokens * file.times),
  ]);
  const found = files.flatMap((file) =>
    file.findings.map((finding) => findingText(nameOf(file), finding, style)),
  );
  const end =
    found.length === 0
      ? `${t("Nothing makes them dearer than they need be.")}\n`
      : `${found.join("\n")}\n${plural(found.length, t("1 finding"), t("{0} findings", found.length))}\n`;
  return `${alignColumns(columns, rows, style)}\n${end}`;
}

function usesText(per: File["per"], times: number): string {
  const count = wholeNumber(times);
  switch (per) {
    case "sessions":
      return plural(times, t("1 session"), t("{0} sessions", count));
    case "runs":
      return plural(times, t("1 run"), t("{0} runs", count));
    case "uses":
      return plural(times, t("1 use"), t("{0} uses", count));
    case "wakes":
      return plural(times, t("1 wake with a new session"), t("{0} wakes with a new session", count));
  }
}

function findingText(
  name: string,
  { kind, line, column, message, remedy, tokens, tokensAWeek }: File["findings"][number],
  { bold, dim }: Style,
): string {
  const cost =
    tokensAWeek === null
      ? t("~{0} tokens each time", estimatedNumber(tokens))
      : t("~{0} tokens each time, ~{1} a week", estimatedNumber(tokens), estimatedNumber(tokensAWeek));
  return `${bold(`${name}:${line}:${column}`)} ${dim(kind)}\n  ${said(message)}\n  ${said(remedy)} ${dim(cost)}\n`;
}
