import * as z from "zod/mini";
import { percent } from "../base/format.ts";
import { plural, sentence, type Sentence } from "../base/language.ts";

/** What is expected of rules. Panels import these without the receipts that hold them. */

/** `proved`: shown to save. `worth`: not shown, but expected to save more than it takes, and hardly harmful. */
const grades = ["proved", "worth", "none"] as const;

const figure = z.number();
const chance = z.number().check(z.minimum(0), z.maximum(1));

export const expectation = z.object({
  grade: z.enum(grades),
  /**
   * Expected share saved, shrunken towards what the user's rules do: unlike the measured share, that of a rule that was
   * let in is not too good.
   */
  share: figure,
  /** The chance that the rule saves less than it takes, and the chance that it costs at least 2 %. */
  ofNothing: chance,
  ofHarm: chance,
  /** Expected processing tokens that a session saves, less those of the rule itself. */
  perSession: figure,
  /** Sessions a week of its agent, and weeks until the next model; null where they decided nothing. */
  use: z.nullable(z.object({ perWeek: figure, weeks: figure })),
  /** When the saving has paid for the measurement; null if it never does. */
  paid: z.nullable(z.object({ sessions: figure, days: z.nullable(figure) })),
  /** The rule's part of the time of its runs. Milliseconds. */
  ms: figure,
});
export type Expectation = z.infer<typeof expectation>;

/** The same, with the price of measuring the rule. USD at list price; null where unknown. */
export const gradeView = z.extend(expectation, {
  spent: z.object({ processingTokens: figure, usd: z.nullable(figure) }),
});
export type GradeView = z.infer<typeof gradeView>;

/**
 * How many of these rules save nothing, expected: of those that are worth having or proved. Null if none of them is.
 */
export function describeIdle(rules: readonly Pick<Expectation, "grade" | "ofNothing">[]): Sentence | null {
  const good = rules.filter(({ grade }) => grade !== "none");
  if (good.length === 0) return null;
  const idle = good.reduce((sum, { ofNothing }) => sum + ofNothing, 0);
  return plural(
    good.length,
    sentence("It saves nothing with a chance of {0}.", percent(100 * idle)),
    sentence(
      "Of {0} rules that are worth having or proved, about {1} save nothing.",
      good.length,
      idle.toFixed(1),
    ),
  );
}
