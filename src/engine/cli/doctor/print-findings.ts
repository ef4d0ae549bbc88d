import { plural, t } from "../../base/text/l10n.ts";
import type { CliHost } from "../ports.ts";
import { styleFor, type Style } from "../style.ts";
import type { DoctorJson, Finding } from "./schema.ts";

/** Prints what is wrong first, and last what is fine. Texts are clean already. */
export function printFindings({ problems, notes, findings }: DoctorJson, host: CliHost): void {
  const style = styleFor(host);
  const at = (level: Finding["level"]) => findings.filter((finding) => finding.level === level);
  const parts = [
    style.bold(summary(problems, notes)),
    ...section(t("Problems"), at("problem"), (text) => style.error(text), style),
    ...section(t("Notes"), at("note"), (text) => style.warning(text), style),
    ...section(t("Fine"), at("ok"), (text) => text, style),
  ];
  host.stdout.write(`${parts.join("\n")}\n`);
}

function summary(problems: number, notes: number): string {
  const first =
    problems === 0 ? t("No problems") : plural(problems, t("1 problem"), t("{0} problems", problems));
  return notes === 0 ? first : `${first}, ${plural(notes, t("1 note"), t("{0} notes", notes))}`;
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
