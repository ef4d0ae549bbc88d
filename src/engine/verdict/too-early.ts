import { fewestContrasts, usualWorth } from "./judge-limits.ts";
import type { Question, Verdict } from "./verdict.ts";

/**
 * Whether the runs so far are too little evidence for any forecast: they are few and show no difference, or they allow
 * a saving and a cost that would both matter.
 */
export function isTooEarly(
  { savingShare, tasks, stop, moreRounds }: Pick<Verdict, "savingShare" | "tasks" | "stop" | "moreRounds">,
  { worth = usualWorth }: { readonly worth?: Question["worth"] | undefined },
): boolean {
  if (savingShare === null || stop === "decided" || stop === "futile") return false;
  const isFew = tasks.reduce((sum, { pairs }) => sum + pairs, 0) < fewestContrasts;
  if (isFew && savingShare.low < 0 && savingShare.high > 0) return true;
  return moreRounds === null && savingShare.low < -worth && savingShare.high > worth;
}
