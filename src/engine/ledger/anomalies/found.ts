import type { Anomaly } from "../answers.ts";

/** An anomaly as found, before it is recorded. */
export type FoundAnomaly = Pick<
  Anomaly,
  "id" | "sessionId" | "agentId" | "cause" | "value" | "usual" | "turns"
> & {
  readonly at: number;
};

/** The most turns an anomaly names: more would not help the reader. */
export const mostTurns = 50;

export function anomalyId(
  { cause, sessionId, agentId }: Pick<FoundAnomaly, "cause" | "sessionId" | "agentId">,
  about: string,
): string {
  return `${cause}:${sessionId}${agentId === null ? "" : `#${agentId}`}:${about}`;
}
