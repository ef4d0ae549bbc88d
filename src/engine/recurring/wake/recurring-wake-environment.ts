import * as z from "zod/mini";
import { parseJson } from "../../base/parse.ts";
import { definitionHead, type DefinitionHead } from "../agents/recurring-agents-schema.ts";
import type { WakePlanView } from "../recurring-answers.ts";
import { hasAgreedToCheck, readAgreement } from "../consent/agreement.ts";
import type { WakePlan } from "./next-step.ts";

const wakeVariables = {
  name: "PURSER_AGENT",
  project: "PURSER_PROJECT",
  wake: "PURSER_WAKE",
  desk: "PURSER_DESK",
  tasks: "PURSER_TASKS",
} as const;

export interface WakeIdentity {
  readonly name: string;
  readonly project: string;
  readonly wake: string;
  readonly desk: string;
  readonly tasks: DefinitionHead["tasks"];
}

export function wakeEnvironment({ name, project, wake, desk, tasks }: WakeIdentity): Record<string, string> {
  return {
    [wakeVariables.name]: name,
    [wakeVariables.project]: project,
    [wakeVariables.wake]: wake,
    [wakeVariables.desk]: desk,
    [wakeVariables.tasks]: JSON.stringify(tasks),
  };
}

const identity = z.object({
  name: z.string().check(z.minLength(1)),
  project: z.string().check(z.minLength(1)),
  wake: z.string().check(z.minLength(1)),
  desk: z.string().check(z.minLength(1)),
  tasks: definitionHead.shape.tasks,
});

/** Null outside of a wake. */
export function wakeOf(env: Readonly<Record<string, string | undefined>>): WakeIdentity | null {
  const read = identity.safeParse({
    name: env[wakeVariables.name],
    project: env[wakeVariables.project],
    wake: env[wakeVariables.wake],
    desk: env[wakeVariables.desk],
    tasks: parseJson(env[wakeVariables.tasks] ?? ""),
  });
  return read.success ? read.data : null;
}

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
