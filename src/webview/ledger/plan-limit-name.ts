import { plural, t } from "../../engine/base/text/l10n.ts";
import type { Overview } from "../../engine/ledger/answers.ts";

const [hour, day] = [60, 24 * 60];

/**
 * Names a plan limit by its window: `5 hours`, with the agent's own name if it has several. Without a known
 * window, only the agent's name.
 */
export function planLimitName({
  name,
  windowMinutes,
}: Pick<Overview["planLimits"][number], "name" | "windowMinutes">): string {
  if (windowMinutes === null) return name;
  const window = windowName(windowMinutes);
  // Codex: `codex primary`, and the same of another model's limits.
  const [, id = "codex"] = /^(\S+) (?:primary|secondary)$/u.exec(name) ?? [];
  return id === "codex" ? window : `${window} (${id})`;
}

function windowName(minutes: number): string {
  if (minutes >= day && minutes % day === 0)
    return plural(minutes / day, t("1 day"), t("{0} days", minutes / day));
  if (minutes >= hour && minutes % hour === 0)
    return plural(minutes / hour, t("1 hour"), t("{0} hours", minutes / hour));
  return plural(minutes, t("1 minute"), t("{0} minutes", minutes));
}
