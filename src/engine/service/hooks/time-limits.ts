/**
 * What is left of the time that an agent gives its hooks. A request for permission waits for a person, while the agent asks that person
 * itself. Milliseconds since the process began.
 */
const limits = { brief: 700, usual: 3500, person: 595_000 };

/** When the hooks' program ends, whatever it waits for. An event that is not told may be `SessionEnd`. */
export function limitOf(event: string): number {
  if (event === "" || event === "SessionEnd") return limits.brief;
  return isPersonAsked(event) ? limits.person : limits.usual;
}

export function isPersonAsked(event: string): boolean {
  return event === "PermissionRequest";
}
