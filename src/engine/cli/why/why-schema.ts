import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import type { Why, WhySession } from "../../ledger/why-answers.ts";
import { whyCauses } from "../../ledger/why-answers.ts";

const session = z.strictObject({
  id: z.string(),
  agent: described(z.nullable(z.string()), "The coding agent."),
  title: z.nullable(z.string()),
  folder: described(z.nullable(z.string()), "The folder it began in."),
  branch: z.nullable(z.string()),
});
const usd = z.number().check(z.nonnegative());
const percent = described(
  z.int().check(z.minimum(0), z.maximum(100)),
  "Share of the whole. Those of all clauses and the rest add up to 100.",
);

export const whyJson = z
  .strictObject({
    schema: z.literal(1),
    since: described(z.nullable(z.iso.date()), "First local calendar day; null is no limit."),
    until: described(z.nullable(z.iso.date()), "Last local calendar day; null is no limit."),
    project: described(z.nullable(z.string()), "The folder; null for all projects."),
    session: described(z.nullable(session), "The session that is explained; null for days."),
    usd: described(z.nullable(usd), "Cost at list prices in US dollars; null when no price is known."),
    calls: described(z.int(), "Calls of models."),
    unpriced: described(z.int(), "Calls without a known price, which are left out."),
    usual: described(
      z.nullable(
        z.strictObject({
          usd,
          of: described(
            z.enum(["weekday", "days", "sessions"]),
            "Basis of comparison: the same weekday, days with usage, or sessions of the same agent.",
          ),
          count: described(z.int(), "Number of these days or sessions."),
          days: described(z.int(), "Days with usage that the figure is for; 1 for a session."),
          text: sentenceSchema,
        }),
      ),
      "The median of the eight weeks before; null with too little to compare.",
    ),
    clauses: described(
      z.array(
        z.strictObject({
          cause: z.enum(whyCauses),
          percent,
          usd,
          text: sentenceSchema,
          sessions: described(z.int(), "Number of sessions that it is about."),
          proofs: described(
            z.array(
              z.strictObject({
                session,
                usd,
                turns: described(
                  z.array(
                    z.strictObject({
                      messageId: z.string(),
                      number: described(
                        z.nullable(z.int()),
                        "Its place in the main conversation, from 1; null in a subagent's.",
                      ),
                    }),
                  ),
                  "Its dearest responses, the dearest first.",
                ),
              }),
            ),
            "The dearest sessions, at most 3.",
          ),
        }),
      ),
      "In order of money; none if nothing stands out. Each dollar is in one clause or in the rest.",
    ),
    rest: z.strictObject({ percent, usd, text: sentenceSchema }),
    change: described(
      z.nullable(
        z.strictObject({
          kind: z.enum(["rule", "guard", "handover", "budget", "model"]),
          usd: described(usd, "Saving of the change, estimated."),
          text: sentenceSchema,
          basis: described(sentenceSchema, "How this is known."),
        }),
      ),
      "The change that would have saved most; null if none would have saved much.",
    ),
  })
  .check(z.meta({ title: "purser why --json" }));
export type WhyJson = z.infer<typeof whyJson>;

export function whyToJson(why: Why): WhyJson {
  const {
    since,
    until,
    project,
    session: own,
    usd: cost,
    calls,
    unpriced,
    usual,
    clauses,
    rest,
    change,
  } = why;
  return {
    schema: 1,
    since,
    until,
    project,
    session: own === null ? null : sessionJson(own),
    usd: cost,
    calls,
    unpriced,
    usual,
    clauses: clauses.map(({ proofs, ...clause }) => ({
      ...clause,
      proofs: proofs.map((proof) => ({ ...proof, session: sessionJson(proof.session) })),
    })),
    rest,
    change,
  };
}

function sessionJson({
  id,
  program,
  title,
  cwd,
  branch,
}: WhySession): WhyJson["clauses"][number]["proofs"][number]["session"] {
  return { id, agent: program, title, folder: cwd, branch };
}
