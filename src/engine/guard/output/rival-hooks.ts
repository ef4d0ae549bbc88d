/** Claude Code's tools whose outputs are made smaller. */
const tools = ["Bash", "PowerShell"];

/**
 * Returns the matchers under which the settings of Claude Code have other people's hooks at the end of a command. Each may replace the
 * output too, from the original: of several answers the last to come wins. A hook that nobody waits for answers nothing.
 * @param isOwn whether a handler is purser's
 */
export function rivalMatchers(settings: unknown, isOwn: (handler: unknown) => boolean): string[] {
  const groups = memberOf(memberOf(settings, "hooks"), "PostToolUse");
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown) => {
    const matcher = memberOf(group, "matcher");
    const handlers = memberOf(group, "hooks");
    if (!Array.isArray(handlers) || !isOfCommands(matcher)) return [];
    const isRival = handlers.some(
      (handler: unknown) => !isOwn(handler) && memberOf(handler, "async") !== true,
    );
    return isRival ? [typeof matcher === "string" && matcher !== "" ? matcher : "*"] : [];
  });
}

/** A matcher is a pattern of names; without one, or with one that cannot be read, all tools may be meant. */
function isOfCommands(matcher: unknown): boolean {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  if (/^[\w|\s,]+$/u.test(matcher)) return matcher.split(/[|,]/u).some((name) => tools.includes(name.trim()));
  try {
    const pattern = new RegExp(matcher, "u");
    return tools.some((tool) => pattern.test(tool));
  } catch {
    return true;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
