import type { HookAnswer } from "../../hooks/event/hooks-answer.ts";
import type { Decision, Deed } from "./decide.ts";

/** Returns the answer for the agent; null where there is nothing to say. */
export function guardAnswer(decisions: readonly Decision[]): HookAnswer | null {
  const told = (done: Deed): readonly Decision[] => decisions.filter((decision) => decision.done === done);
  const [denied, asked, advised] = [told("denied"), told("asked"), told("advised")];
  const stopping = denied.length > 0 ? denied : asked;
  const rules = [...stopping, ...advised].map(({ hit }) => hit.rule.id);
  if (rules.length === 0) return null;
  return {
    rule: rules.join(" "),
    ...(advised.length === 0 ? {} : { context: describeDecisions(advised) }),
    ...(stopping.length === 0
      ? {}
      : {
          permission: {
            decision: denied.length > 0 ? "deny" : "ask",
            reason: describeDecisions([...stopping, ...(denied.length > 0 ? asked : [])]),
          },
        }),
  };
}

/** Returns a line for each rule: what the call would do, and what to do instead. */
function describeDecisions(decisions: readonly Decision[]): string {
  return decisions
    .map(({ hit: { rule } }) => `Context Purser (${rule.id}): ${rule.message} ${rule.remedy}`)
    .join("\n");
}
