import { cacheCreation, occupancy } from "../../usage/token-counts.ts";
import { anomalyId, mostTurns, type FoundAnomaly } from "./found.ts";
import type { Chain, TimedResponse } from "../questions/session-history.ts";

/** So many responses in a row say that it is no accident: a model that has nothing to say says so once or twice. */
const fewest = 5;
/** Tokens. An empty message takes 1 to 3, and "OK" hardly more; the smallest call of a tool some thirty. */
const mostOutput = 10;

/**
 * Stalls: at least 5 responses of a conversation, one after the other, of which each carries more than the one before, none
 * writes more than 10 tokens and none calls a tool. Hooks that send the agent on, and loops of empty answers, look so.
 *
 * A person's short questions with short answers do too, and so does every conversation of those Claude Code versions that
 * recorded but the first tokens of an answer. So what a person asks ends a stretch, and where nobody knows when a person
 * asked, or which responses called tools, nothing is said.
 */
export function findStalls({ sessionId, agentId, responses, prompts, callers }: Chain): FoundAnomaly[] {
  if (prompts === null || callers === null) return [];
  const asked = prompts.toSorted((one, other) => one - other);
  const found: FoundAnomaly[] = [];
  let stretch: TimedResponse[] = [];
  const end = () => {
    const anomaly = { sessionId, agentId, cause: "stall" } as const;
    const turns = stretch.slice(0, mostTurns);
    const [first, last] = [turns[0], turns.at(-1)];
    if (turns.length >= fewest && first !== undefined && last !== undefined)
      found.push({
        ...anomaly,
        id: anomalyId(anomaly, first.messageId),
        at: last.at,
        value: turns.reduce((sum, { usage }) => sum + usage.input + usage.output + cacheCreation(usage), 0),
        usual: null,
        turns: turns.map(({ messageId }) => messageId),
      });
    stretch = [];
  };
  let next = 0;
  for (const response of responses) {
    const before = next;
    while ((asked[next] ?? Infinity) <= response.at) next += 1;
    const last = stretch.at(-1);
    const climbs = last === undefined || occupancy(response.usage) > occupancy(last.usage);
    if (next > before || !climbs) end();
    if (response.usage.output <= mostOutput && !callers.has(response.messageId)) stretch.push(response);
    else end();
  }
  end();
  return found;
}
