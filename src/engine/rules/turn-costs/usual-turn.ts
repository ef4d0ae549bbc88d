import { percent, shortNumber, wholeNumber } from "../../base/text/format.ts";
import { findWaste } from "../distil/findings.ts";
import { withoutSecrets } from "../distil/scrubbed-source.ts";
import type { Trajectory } from "../distil/trajectory.ts";

/** What a turn took, and what its agent's turns usually take. Processing tokens. */
export interface TurnCost {
  readonly tokens: number;
  /** Additional tokens of its subagents. */
  readonly ofSubagents: number;
  /** Three of four turns take at most this. */
  readonly usual: number;
}

/** Cheaper turns are never worth a line. Processing tokens. */
const least = 20_000;
const mostTools = 3;
const longestFinding = 240; // characters

export function isCostly({ tokens, usual }: Pick<TurnCost, "tokens" | "usual">): boolean {
  return tokens >= least && tokens > usual;
}

/** Describes for its user where a turn's tokens went. @param trajectory what it did; null where unreadable */
export function describeTurnCost(cost: TurnCost, trajectory: Trajectory | null): string {
  const { tokens, ofSubagents, usual } = cost;
  const parts = [
    `this turn took ${wholeNumber(tokens)} new tokens; three of four take at most ${wholeNumber(usual)}.`,
  ];
  if (ofSubagents > 0) parts.push(`Its subagents took ${wholeNumber(ofSubagents)} more.`);
  const tools = trajectory === null ? "" : describeTools(trajectory);
  if (tools !== "") parts.push(`What tools brought into the context: ${tools}.`);
  const [waste] = trajectory === null ? [] : findWaste(trajectory);
  if (waste !== undefined) parts.push(`${withoutSecrets(waste.what, longestFinding)}.`);
  return `Context Purser: ${parts.join(" ")}`;
}

/** `Read 62% (14 calls, ~210k characters), Bash 30% (…)`; empty where tools added nothing. */
function describeTools({ actions }: Trajectory): string {
  const byTool = new Map<string, { calls: number; chars: number }>();
  for (const { tool, result } of actions) {
    const { calls, chars } = byTool.get(tool) ?? { calls: 0, chars: 0 };
    byTool.set(tool, { calls: calls + 1, chars: chars + (result?.chars ?? 0) });
  }
  const all = [...byTool.values()].reduce((sum, { chars }) => sum + chars, 0);
  return [...byTool]
    .filter(([, { chars }]) => chars > 0)
    .toSorted(([, one], [, other]) => other.chars - one.chars)
    .slice(0, mostTools)
    .map(
      ([tool, { calls, chars }]) =>
        `${withoutSecrets(tool, 60)} ${percent((100 * chars) / all)} (${calls} ${calls === 1 ? "call" : "calls"}, ${shortNumber(chars)} characters)`,
    )
    .join(", ");
}
