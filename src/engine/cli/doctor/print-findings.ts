import type { CliHost } from "../ports.ts";
import { styleFor, type Style } from "../style.ts";
import type { DoctorJson, Finding } from "./schema.ts";

/** Prints what is wrong first, and last what is fine. Texts are clean already. */
export function printFindings({ problems, notes, findings }: DoctorJson, host: CliHost): void {
  const style = styleFor(host);
  const at = (level: Finding["level"]) => findings.filter((finding) => finding.level === level);
  const parts = [
    style.bold(summary(problems, notes)),
    ...section("Problems", at("problem"), (text) => style.error(text), style),
    ...section("Notes", at("note"), (text) => style.warning(text), style),
    ...section("Fine", at("ok"), (text) => text, style),
  ];
  host.stdout.write(`${parts.join("\n")}\n`);
}

function summary(problems: number, notes: number): string {
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const noted = notes === 0 ? "" : `, ${counted(notes, "note")}`;
  return problems === 0 ? `No problems${noted}` : `${counted(problems, "problem")}${noted}`;
}

function section(
  title: string,
  findings: readonly Finding[],
  styled: (text: string) => string,
  style: Style,
): string[] {
  if (findings.length === 0) return [];
  return ["", style.bold(title), ...findings.flatMap((finding) => lines(finding, styled, style))];
}

function lines({ about, what, remedy }: Finding, styled: (text: string) => string, style: Style): string[] {
  const subject = about === null ? "" : `${about}: `;
  return [`  ${styled(`${subject}${what}`)}`, ...(remedy === null ? [] : [style.dim(`    ${remedy}`)])];
}
