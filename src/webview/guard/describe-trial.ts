import { t } from "../../engine/base/language.ts";
import { familyIn } from "../../engine/rules/trial-answers.ts";

/** Families that a trial may take, in the order in which they are shown. Also for panels without the rest of guard's texts. */
export const triedNames: Readonly<Record<string, string>> = {
  output: t("Output"),
  waste: t("Waste"),
  loops: t("Loops"),
  facts: t("Facts"),
  learned: t("Learned"),
  continuity: t("Continuity"),
  advice: t("Advice"),
};

/** The name of a family on trial; one of a newer version is as it is written. */
export function describeTried(id: string): string {
  const family = familyIn(id) ?? id;
  return triedNames[family] ?? family;
}
