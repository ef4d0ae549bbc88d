import { cacheCreation, occupancy } from "../../usage/token-counts.ts";
import { anomalyId, mostTurns, type FoundAnomaly } from "./found.ts";
import type { Chain, TimedResponse } from "../questions/session-history.ts";

/** This many in a row are no accident: a model with nothing to say stops after one or two such responses. */
const fewest = 5;
/** Tokens. An empty message takes 1 to 3, and "OK" hardly more; the smallest tool call takes about thirty. */
const mostOutput = 10;

/**
 * Stalls: at least 5 consecutive responses of a conversation, each with a larger prompt than the one before, none with
 * more than 10 tokens of output and none with a tool call. Hooks that keep the agent going and loops of empty answers
 * look like this.
 *
 * So do a person's short questions with short answers, and every conversation of those Claude Code versions that
 * recorded only the first tokens of an answer. So a prompt ends a stretch, and nothing is reported when the times of
 * the prompts or the responses that called tools are unknown.
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
