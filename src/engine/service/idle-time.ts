const defaultMinutes = 30;

/** How long an unused service keeps running: `PURSER_IDLE_MINUTES`, 0 for forever. Milliseconds, or null. */
export function readIdleTime(env: Readonly<Record<string, string | undefined>>): number | null {
  const text = (env["PURSER_IDLE_MINUTES"] ?? "").trim();
  const parsed = text === "" ? defaultMinutes : Number(text);
  const minutes = Number.isFinite(parsed) && parsed >= 0 ? parsed : defaultMinutes;
  return minutes === 0 ? null : minutes * 60_000;
}
