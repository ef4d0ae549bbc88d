/**
 * Time limits, somewhat below what agents give their hooks. A permission request waits for a person, while the agent itself asks that
 * person too. Milliseconds since the process started.
 */
const limits = { brief: 700, usual: 3500, person: 595_000 };

/** Returns when the hook program ends, whatever it waits for. An unknown event may be `SessionEnd`. */
export function limitOf(event: string): number {
  if (event === "" || event === "SessionEnd") return limits.brief;
  return isPersonAsked(event) ? limits.person : limits.usual;
}

export function isPersonAsked(event: string): boolean {
  return event === "PermissionRequest";
}
