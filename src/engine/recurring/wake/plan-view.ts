import type { WakePlanView } from "../answers.ts";
import { hasAgreedToCheck, readAgreement } from "../consent/agreement.ts";
import type { WakePlan } from "./next-step.ts";

/** Returns what a person is shown of a plan. */
export function planViewOf({ request, choice, thread, expected, promptChars }: WakePlan): WakePlanView {
  const { agent, place } = request;
  const agreed = readAgreement(place);
  const check = thread?.task.check ?? null;
  const { resume, reason, cause } = choice;
  return {
    agent: agent.name,
    program: agent.program,
    model: agent.model,
    definition: agent.hash,
    isAgreed: agreed?.definition === agent.hash,
    task:
      thread === null
        ? null
        : {
            id: thread.task.id,
            title: thread.task.title,
            check,
            isCheckAgreed: check === null || hasAgreedToCheck(agreed, check),
          },
    reason,
    cause,
    session: resume === null ? null : { id: resume.id, wakes: resume.wakes },
    tokens: expected.tokens,
    most: agent.budget.wake,
    usd: expected.usd,
    promptChars,
  };
}
