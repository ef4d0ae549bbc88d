import * as z from "zod/mini";
import { commonShape, largestLimit, type Budget, type Level, type Levels } from "../budget.ts";

/** In this version `run` meant the whole session. */
const levelSchema = z.strictObject({
  limit: z.int().check(z.minimum(1), z.maximum(largestLimit)),
  period: z.enum(["run", "day", "week", "month"]),
});
type OldLevel = z.infer<typeof levelSchema>;

const levelsSchema = z.strictObject({
  session: z.exactOptional(levelSchema),
  agent: z.exactOptional(levelSchema),
  convoy: z.exactOptional(levelSchema),
  project: z.exactOptional(levelSchema),
});

/** The first version of `.purser/budgets/<convoyId>.json`. Its files stay readable for ever. */
export const firstBudgetSchema = z.strictObject({
  schema: z.literal(1),
  ...commonShape,
  levels: levelsSchema.check(z.refine((levels) => Object.keys(levels).length > 0)),
});

type FirstBudget = z.infer<typeof firstBudgetSchema>;

/**
 * Converts a budget to the present version. A limit for a run used to apply to each session. For a session,
 * and for an agent in it, this becomes `total`. For a convoy it becomes the limit of each of its sessions,
 * unless they have another. Other limits, above all a project's, stay per run: a run is a part of a session,
 * so they never stop more than before.
 */
export function fromFirstVersion({ convoyId, warnPercent, members, levels }: FirstBudget): Budget {
  const { session, agent, convoy, project } = levels;
  const isMoved = session === undefined && convoy?.period === "run";
  const present: [keyof Levels, Level | undefined][] = [
    ["session", wholeOf(isMoved ? convoy : session)],
    ["agent", wholeOf(agent)],
    ["convoy", isMoved ? undefined : convoy],
    ["project", project],
  ];
  const defined = present.filter(([, level]) => level !== undefined);
  const given = members === undefined ? {} : { members };
  return { schema: 2, convoyId, warnPercent, ...given, levels: Object.fromEntries(defined) };
}

function wholeOf(level: OldLevel | undefined): Level | undefined {
  return level?.period === "run" ? { ...level, period: "total" } : level;
}
