import type { RateLimit } from "../agent-session.ts";
import type { QuotaSnapshots } from "./copilot-row-schema.ts";

/** The plan's quotas, as a response reported them. Those without a limit are left out. */
export function rateLimitsIn(snapshots: QuotaSnapshots, at: number | null): RateLimit[] {
  return Object.entries(snapshots ?? {}).flatMap(([name, quota]): RateLimit[] =>
    quota.isUnlimitedEntitlement === true
      ? []
      : [
          {
            name,
            usedPercent: Math.min(100, Math.max(0, 100 - quota.remainingPercentage)),
            windowMinutes: null,
            resetsAt: quota.resetDate ?? null,
            at,
            provenance: "official",
          },
        ],
  );
}
