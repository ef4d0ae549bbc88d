import type { Sum } from "../../usage/sum.ts";
import type { SessionSummary } from "../answers.ts";
import type { SessionFacts } from "../store/session-facts.ts";

/** A session and its usage. If its last activity was not reported, the time of its last response is used. */
export function summaryOf(facts: SessionFacts, sum: Sum): SessionSummary {
  const { id, program, title, cwd, branch, firstAt, lastAt, parentId, isCountedBefore } = facts;
  const lastResponse = sum.lastAt === -Infinity ? null : sum.lastAt;
  return {
    id,
    program,
    title,
    cwd,
    branch,
    firstAt,
    parentId,
    isCountedBefore,
    lastAt: lastAt ?? lastResponse,
    ...sum.sum(),
  };
}
