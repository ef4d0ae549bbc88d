import { t } from "../../engine/base/text/l10n.ts";
import type { StepView } from "../../engine/rules/answers.ts";
import { statusNames } from "./names.ts";
import { inLanguage } from "../../engine/base/text/in-language.ts";

/** A step of a rule's history in a sentence: `You approved it for measuring`. A measurement's step keeps its reason. */
export function describeStep(step: StepView): string {
  if (step.who === "user") return t("You {0}", byUser(step));
  if (step.who === "setting") return t("By your setting: {0}", byUser(step));
  return `${statusNames[step.to]}: ${inLanguage(step.why)}`;
}

function byUser(step: StepView): string {
  const { from, to, why } = step;
  if (from === null) return made(why);
  const undone = /^taken back: (.*)$/su.exec(why)?.[1];
  if (undone !== undefined) return t("undid a step: {0}", inLanguage(undone));
  if (from === to) return protecting(why);
  switch (to) {
    case "approved":
      return approved(why);
    case "active":
      return why === "let into the agent's memory" ? t("let it into the agent's memory") : inLanguage(why);
    case "evicted":
      return rejected(why);
    case "candidate":
    case "measured":
    case "shelved":
      return t("made it “{0}”: {1}", statusNames[to], inLanguage(why));
  }
}

function made(why: string): string {
  if (why === "written by hand") return t("added it");
  if (why === "imported from a file") return t("imported it from a file");
  return why.startsWith("edited from") ? t("reworded another rule") : t("added it: {0}", inLanguage(why));
}

function protecting(why: string): string {
  if (why.startsWith("protected")) return t("protected it: it is never removed by a measurement");
  return why === "no longer protected" ? t("no longer protect it") : inLanguage(why);
}

function approved(why: string): string {
  switch (why) {
    case "approved":
    case "approved as edited":
      return t("approved it for measuring");
    case "to be measured again":
      return t("asked to measure it again");
    case "to be given another chance":
      return t("gave it another chance");
    default:
      return t("approved it for measuring: {0}", inLanguage(why));
  }
}

function rejected(why: string): string {
  if (why.startsWith("edited:")) return t("reworded it; another rule takes its place");
  const reason = /^rejected: (.*)$/su.exec(why)?.[1];
  return reason === undefined ? t("rejected it") : t("rejected it: {0}", reason);
}
