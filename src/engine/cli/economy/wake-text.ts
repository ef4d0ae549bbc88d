import { cleanText } from "../../base/text/text.ts";
import { aboutDollars, dollars, wholeNumber } from "../../base/text/format.ts";
import { displayNameOf } from "../../continuity/handover/launch.ts";
import type { WakePlan } from "../../economy/wake/next-step.ts";
import type { WakeRow } from "../../ledger/entries/woken.ts";
import { sessionText } from "./agent-text.ts";
import type { WakeJson } from "./schema.ts";

type Woken = WakeJson["wakes"][number];

export function wakeToJson(plan: WakePlan, row: WakeRow | null, said: readonly string[]): Woken {
  const { request, choice, thread, expected, promptChars } = plan;
  const { agent, source } = request;
  return {
    agent: agent.name,
    task: thread?.task.id ?? null,
    source,
    reused: (row ?? choice).reason === "reused",
    reason: (row ?? choice).reason,
    cause: (row ?? choice).cause,
    sessionId: row === null ? (choice.resume?.id ?? null) : row.sessionId,
    plan: { tokens: expected.tokens, most: agent.budget.wake, usd: expected.usd, promptChars },
    wake: row,
    said: [...said],
  };
}

/** Describes what a wake will do and cost, before a person agrees to it. */
export function planText({ request, choice, thread, expected, allowed }: WakePlan): string {
  const { agent } = request;
  const tokens =
    expected.tokens === null
      ? `an unknown number of new tokens, at most ${wholeNumber(agent.budget.wake)}`
      : `about ${wholeNumber(expected.tokens)} new tokens, at most ${wholeNumber(agent.budget.wake)}`;
  const price = expected.usd === null ? "price unknown" : aboutDollars(expected.usd);
  const session =
    choice.resume === null
      ? `a new session (${sessionText(choice).replace(/^new: /u, "")})`
      : `session ${choice.resume.id}, wake ${choice.resume.wakes + 1}`;
  const task = thread === null ? "no task" : `${thread.task.id} ${thread.task.title}`;
  const skills =
    allowed.skills === null || allowed.skills.length === 0 ? "" : `; skills ${allowed.skills.join(", ")}`;
  return `${[
    `${agent.name}: ${displayNameOf(agent.program)}, ${agent.model}, ${session}`,
    `Task: ${task}${skills}`,
    `It takes ${tokens}; ${price}.`,
  ]
    .map(cleanText)
    .join("\n")}\n`;
}

export function doneText({ agent, task, wake, plan, said, reason, cause, sessionId }: Woken): string {
  const lines = said.map(cleanText);
  if (wake === null) {
    const expected = plan.tokens === null ? "unknown" : wholeNumber(plan.tokens);
    const price = plan.usd === null ? "unknown" : aboutDollars(plan.usd);
    return [
      cleanText(
        `${agent} would be woken${task === null ? "" : ` for ${task}`}: ${sessionText({ reason, cause })}`,
      ),
      `New tokens: ${expected}, at most ${wholeNumber(plan.most)}; price ${price}; prompt ${wholeNumber(plan.promptChars)} characters`,
      ...lines,
    ].join("\n");
  }
  const { outcome, detail, normalizedInput, rawInput, usd, turns, stateAfter, fetchMode } = wake;
  const tokens = [
    `normalized input ${normalizedInput === null ? "unknown" : wholeNumber(normalizedInput)}`,
    `raw input ${rawInput === null ? "unknown" : wholeNumber(rawInput)}`,
    usd === null ? "cost unknown" : `cost ${dollars(usd)}`,
    `${turns} ${turns === 1 ? "turn" : "turns"}`,
    `thread fetched: ${fetchMode}`,
  ];
  return [
    cleanText(
      `${agent}: ${outcome}${detail === null ? "" : ` (${detail})`}${task === null ? "" : `, ${task} is ${stateAfter ?? "unknown"}`}`,
    ),
    cleanText(`Session ${sessionId ?? "none"}: ${sessionText({ reason, cause })}`),
    `${tokens.join(", ")}.`,
    ...lines,
  ].join("\n");
}
