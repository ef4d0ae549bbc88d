/** A hook without a waiting agent gives no answer. */
const isAwaited = (handler: unknown): boolean => memberOf(handler, "async") !== true;

/**
 * Returns the matchers under which settings of Claude Code, or a plugin, have other people's hooks at the end of a tool. Each may replace
 * the output too, from the original: of several answers the last to come wins.
 * @param isOwn whether a handler is purser's
 */
export function rivalMatchers(settings: unknown, isOwn: (handler: unknown) => boolean): string[] {
  const groups = memberOf(memberOf(settings, "hooks"), "PostToolUse");
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown) => {
    const matcher = memberOf(group, "matcher");
    const handlers = memberOf(group, "hooks");
    if (!Array.isArray(handlers)) return [];
    const isRival = handlers.some((handler: unknown) => !isOwn(handler) && isAwaited(handler));
    return isRival ? [typeof matcher === "string" && matcher !== "" ? matcher : "*"] : [];
  });
}

/** Tests whether a matcher, a pattern of names, is for a tool; one that cannot be read may be for any. */
export function isFor(matcher: string, tool: string): boolean {
  if (matcher === "*") return true;
  if (/^[\w|\s,-]+$/u.test(matcher)) return matcher.split(/[|,]/u).some((name) => name.trim() === tool);
  try {
    return new RegExp(matcher, "u").test(tool);
  } catch {
    return true;
  }
}

/** Claude Code's tools with outputs that are made smaller. Servers' tools have other names. */
const tools = ["Bash", "PowerShell", "Grep", "Glob", "WebFetch"];

/** Tests whether a matcher is for any tool with outputs that are made smaller. */
export function isForReplaced(matcher: string): boolean {
  return matcher.includes("mcp__") || tools.some((tool) => isFor(matcher, tool));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
