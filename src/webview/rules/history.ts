import type { StepView } from "../../engine/rules/answers.ts";
import { statusNames } from "./names.ts";

/** A step of a rule's history in a sentence: `You approved it for measuring`. A measurement's step keeps its reason. */
export function describeStep(step: StepView): string {
  if (step.who === "user") return `You ${byUser(step)}`;
  if (step.who === "setting") return `By your setting: ${byUser(step)}`;
  return `${statusNames[step.to]}: ${step.why}`;
}

function byUser(step: StepView): string {
  const { from, to, why } = step;
  if (from === null) return made(why);
  const undone = /^taken back: (.*)$/su.exec(why)?.[1];
  if (undone !== undefined) return `undid a step: ${undone}`;
  if (from === to) return protecting(why);
  switch (to) {
    case "approved":
      return approved(why);
    case "active":
      return why === "let into the agent's memory" ? "let it into the agent's memory" : why;
    case "evicted":
      return rejected(why);
    case "candidate":
    case "measured":
    case "shelved":
      return `made it “${statusNames[to]}”: ${why}`;
  }
}

function made(why: string): string {
  if (why === "written by hand") return "added it";
  if (why === "imported from a file") return "imported it from a file";
  return why.startsWith("edited from") ? "reworded another rule" : `added it: ${why}`;
}

function protecting(why: string): string {
  if (why.startsWith("protected")) return "protected it: it is never removed by a measurement";
  return why === "no longer protected" ? "no longer protect it" : why;
}

function approved(why: string): string {
  switch (why) {
    case "approved":
    case "approved as edited":
      return "approved it for measuring";
    case "to be measured again":
      return "asked to measure it again";
    case "to be given another chance":
      return "gave it another chance";
    default:
      return `approved it for measuring: ${why}`;
  }
}

function rejected(why: string): string {
  if (why.startsWith("edited:")) return "reworded it; another rule takes its place";
  const reason = /^rejected: (.*)$/su.exec(why)?.[1];
  return reason === undefined ? "rejected it" : `rejected it: ${reason}`;
}
