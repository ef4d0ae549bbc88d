import { t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import type { Style } from "../style.ts";
import type { GuardJson } from "./guard-schema.ts";
import { said } from "../language/said.ts";

type RuleFile = NonNullable<GuardJson["files"]>[number];

const stateNames: Readonly<Record<RuleFile["state"], string>> = {
  read: "",
  off: t("disabled"),
  untrusted: t("not used: its folder is not trusted (purser guard trust)"),
  faulty: t("has errors; its last valid content applies"),
};

export function filesText(files: readonly RuleFile[], style: Style): string {
  const lines = files.flatMap(({ name, kind, state, rules, faults }) => {
    const own = rules.length === 0 ? "" : `: ${rules.map(cleanText).join(" ")}`;
    const isUnread = kind === "hookify" && state === "faulty" && rules.length === 0;
    const why = isUnread ? t("not imported") : stateNames[state];
    const told = state === "read" ? own : ` (${why})${own}`;
    const imported = kind === "hookify" && rules.length > 0 ? style.dim(` ${t("imported")}`) : "";
    return [
      `${cleanText(name)}${imported}${told}`,
      ...faults.map(({ line, message }) => style.warning(`  ${t("line {0}: {1}", line, said(message))}`)),
    ];
  });
  return `${style.bold(t("Rule files"))}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
