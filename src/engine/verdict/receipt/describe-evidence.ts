import { sentence, type Sentence } from "../../base/text/sentence.ts";
import { plural } from "../../base/text/l10n.ts";
import type { LeftOutReason } from "../statistics/pool.ts";
import type { Receipt } from "./receipt.ts";

/** Describes the rounds behind a receipt's figures, and the earlier measurements of the rule that do not count. */
export function describeEvidence({ rounds, evidence }: Pick<Receipt, "rounds" | "evidence">): Sentence[] {
  if (evidence === undefined) return [];
  const { since, leftOut } = evidence;
  const { own, pooled } = rounds;
  const counted =
    since === null || pooled === 0
      ? plural(
          own,
          sentence("Savings and passes are of this measurement alone: 1 round."),
          sentence("Savings and passes are of this measurement alone: {0} rounds.", own),
        )
      : sentence(
          "Savings and passes are of all rounds that count: {own} of this measurement and {pooled} earlier ones since {day}. Older rounds count less.",
          { own, pooled, day: new Date(since).toISOString().slice(0, 10) },
        );
  if (leftOut.length === 0) return [counted];
  const eachWhy = [...new Set(leftOut.map(({ why }) => why))].map((why) =>
    leftOutWords(why, leftOut.filter((one) => one.why === why).length),
  );
  return [counted, sentence("Earlier measurements that do not count: {eachWhy}.", { eachWhy })];
}

function leftOutWords(why: LeftOutReason, count: number): Sentence {
  switch (why) {
    case "suite":
      return sentence("{0} with other tasks or another fixture", count);
    case "model":
      return sentence("{0} with another model", count);
    case "program":
      return sentence("{0} with another or an unknown version of the program", count);
    case "beside":
      return sentence("{0} beside other active rules", count);
    case "age":
      return sentence("{0} older than half a year", count);
    case "changed":
      return sentence("{0} from before a change of the rule's effect", count);
  }
}
