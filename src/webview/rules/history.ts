import { type Sentence, isSentence, inWords, t } from "../../engine/base/language.ts";
import type { StepView } from "../../engine/rules/rules-answers.ts";
import { statusNames } from "./names.ts";

/**
 * A step of a rule's history in a sentence: `You approved it for measuring`. A measurement's figures are left out: the
 * page shows them once, as evidence.
 */
export function describeStep(step: StepView): string {
  if (step.who === "user") return t("You {0}", byUser(step));
  if (step.who === "setting") return t("By your setting: {0}", byUser(step));
  const isMeasurement = step.why.text.includes("(receipt ");
  return `${statusNames[step.to]}: ${isMeasurement ? t("measured") : inWords(step.why)}`;
}

/** The second is of earlier versions. */
const addedTexts: readonly string[] = ["added to the agent's memory", "let into the agent's memory"];

function byUser({ from, to, why }: StepView): string {
  if (from === null) return made(why);
  const undone = following("taken back: ", why);
  if (undone !== null) return t("undid a step: {0}", undone);
  if (from === to) return protecting(why);
  switch (to) {
    case "approved":
      return approved(why);
    case "active":
      return addedTexts.includes(why.text) ? t("added it to the agent's memory") : inWords(why);
    case "evicted":
      return rejected(why);
    case "candidate":
    case "measured":
    case "shelved":
      return t("made it “{0}”: {1}", statusNames[to], inWords(why));
  }
}

function made(why: Sentence): string {
  if (why.text === "written by hand") return t("added it");
  if (why.text === "imported from a file") return t("imported it from a file");
  return why.text.startsWith("edited from") ? t("reworded another rule") : t("added it: {0}", inWords(why));
}

function protecting(why: Sentence): string {
  if (why.text.startsWith("protected")) return t("protected it: it is never removed by a measurement");
  return why.text === "no longer protected" ? t("no longer protect it") : inWords(why);
}

function approved(why: Sentence): string {
  switch (why.text) {
    case "approved":
    case "approved as edited":
      return t("approved it for measuring");
    case "to be measured again":
      return t("asked to measure it again");
    case "to be given another chance":
      return t("gave it another chance");
    default:
      return t("approved it for measuring: {0}", inWords(why));
  }
}

function rejected(why: Sentence): string {
  if (why.text.startsWith("edited:")) return t("reworded it; another rule takes its place");
  const reason = following("rejected: ", why);
  return reason === null ? t("rejected it") : t("rejected it: {0}", reason);
}

/** What follows a prefix of a sentence, in words. Earlier versions stored the English text. */
function following(prefix: string, { text, key, values }: Sentence): string | null {
  if (!text.startsWith(prefix)) return null;
  const [value] = key.startsWith(prefix) ? Object.values(values) : [];
  return isSentence(value) ? inWords(value) : text.slice(prefix.length);
}
