import type { Loop } from "./detect.ts";
import { loopRules } from "./loops-rules.ts";

/** The sentences for an agent in a loop: the actions that repeat, and a way out. */
export function describeLoop(loop: Loop): string {
  return `${factOf(loop)} ${loopRules[loop.rule].remedy}`;
}

/** The sentence for a person whose agent goes on in a loop after it was told. */
export function describeForUser(loop: Loop, sentence: string): string {
  return `Context Purser: The agent goes on in a loop of which it was told (${loopRules[loop.rule].id}). ${sentence} You may want to stop it and say how to go on.`;
}

/** Says what repeats. */
export function factOf({ rule, steps, period }: Loop): string {
  const names = [...new Set(steps.map(({ name }) => `\`${name.replaceAll("`", "'")}\``))];
  const [name = ""] = names.slice(-1);
  switch (rule) {
    case "sameFailure":
      return `${name} has failed the same way ${steps.length} times.`;
    case "polling":
      return `The same state was asked for ${steps.length} times with nothing done in between (${name}).`;
    case "alternation":
      return `The same ${period} actions took turns twice with the same results: ${names.join(", ")}.`;
    case "nearEqual":
      return `Nearly the same command (${name}) ran ${steps.length} times with the same outcome, and nothing was changed in between.`;
    case "repeatedLooks":
      return `The last ${steps.length} actions only looked at the same ${period === 1 ? "thing" : `${period} things`} (${names.slice(0, 4).join(", ")}), and nothing was changed.`;
  }
}
