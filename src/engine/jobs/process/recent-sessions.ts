import { succeed, type Result } from "../../base/result.ts";
import { mostWork, workNoise } from "../../rules/trial/noise.ts";
import type { RecentSessions } from "../../verdict/power/trial.ts";
import type { Requester } from "../all-requests.ts";

/** Sessions of this time say how many a day are to be expected. */
const recentDays = 28;
const dayMs = 86_400_000;

/**
 * Counts the sessions in which a trial could be, and reckons how much they differ. What a session was started as is in no transcript, and a subagent is no session of
 * its own: only those of `main` are known.
 */
export async function recentSessions(
  agent: string,
  { service, now }: { readonly service: Requester<"useCounts" | "recentWork">; readonly now: number },
): Promise<Result<RecentSessions>> {
  if (agent !== "main") return succeed({ count: 0, days: recentDays, noise: null });
  const counted = await service.ask("useCounts", { asked: now - recentDays * dayMs });
  if (!counted.ok) return counted;
  const own = counted.value.answer.sessions.filter(({ name }) => name === "claude-code");
  const work = await service.ask("recentWork", { asked: mostWork });
  if (!work.ok) return work;
  return succeed({
    count: own.reduce((sum, { count }) => sum + count, 0),
    days: recentDays,
    noise: workNoise(work.value.answer),
  });
}
