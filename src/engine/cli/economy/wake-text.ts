import { type Sentence, inWords, plural, t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { aboutDollars, dollars, wholeNumber } from "../../base/local-format.ts";
import { displayNameOf } from "../../continuity/handover.ts";
import type { WakePlan } from "../../recurring/agents.ts";
import type { WakeRow } from "../../ledger/woken.ts";
import { sessionText, whyNew, outcomeWords } from "./agent-text.ts";
import type { WakeJson } from "./economy-schema.ts";

type Woken = WakeJson["wakes"][number];

export function wakeToJson(plan: WakePlan, row: WakeRow | null, said: readonly Sentence[]): Woken {
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

export function planText({ request, choice, thread, expected, allowed }: WakePlan): string {
  const { agent } = request;
  const price = expected.usd === null ? t("price unknown") : aboutDollars(expected.usd);
  const most = wholeNumber(agent.budget.wake);
  const takes =
    expected.tokens === null
      ? t("It takes an unknown number of new tokens, at most {0}; {1}.", most, price)
      : t("It takes about {0} new tokens, at most {1}; {2}.", wholeNumber(expected.tokens), most, price);
  const session =
    choice.resume === null
      ? t("a new session ({0})", whyNew(choice))
      : t("session {0}, wake {1}", choice.resume.id, choice.resume.wakes + 1);
  const task = thread === null ? t("no task") : `${thread.task.id} ${thread.task.title}`;
  const skills =
    allowed.skills === null || allowed.skills.length === 0
      ? ""
      : `; ${t("skills {0}", allowed.skills.join(", "))}`;
  return `${[
    `${agent.name}: ${displayNameOf(agent.program)}, ${agent.model}, ${session}`,
    `${t("Task: {0}", task)}${skills}`,
    takes,
  ]
    .map(cleanText)
    .join("\n")}\n`;
}

export function doneText({ agent, task, wake, plan, said, reason, cause, sessionId }: Woken): string {
  const lines = said.map((each) => cleanText(inWords(each)));
  if (wake === null) {
    const expected = plan.tokens === null ? t("unknown") : wholeNumber(plan.tokens);
    const price = plan.usd === null ? t("unknown") : aboutDollars(plan.usd);
    const why = sessionText({ reason, cause });
    return [
      cleanText(
        task === null
          ? t("{0} would be woken: {1}", agent, why)
          : t("{0} would be woken for {1}: {2}", agent, task, why),
      ),
      t(
        "New tokens: {0}, at most {1}; price {2}; prompt {3} characters",
        expected,
        wholeNumber(plan.most),
        price,
        wholeNumber(plan.promptChars),
      ),
      ...lines,
    ].join("\n");
  }
  const { outcome, detail, normalizedInput, rawInput, usd, turns, stateAfter, fetchMode } = wake;
  const tokens = [
    t("normalized input {0}", normalizedInput === null ? t("unknown") : wholeNumber(normalizedInput)),
    t("raw input {0}", rawInput === null ? t("unknown") : wholeNumber(rawInput)),
    usd === null ? t("cost unknown") : t("cost {0}", dollars(usd)),
    plural(turns, t("1 turn"), t("{0} turns", turns)),
    t("thread fetched: {0}", fetchMode),
  ];
  return [
    cleanText(
      `${agent}: ${outcomeWords[outcome]}${detail === null ? "" : ` (${inWords(detail)})`}${task === null ? "" : `, ${t("{0} is {1}", task, stateAfter ?? t("unknown"))}`}`,
    ),
    cleanText(t("Session {0}: {1}", sessionId ?? t("none"), sessionText({ reason, cause }))),
    `${tokens.join(", ")}.`,
    ...lines,
  ].join("\n");
}
