/** Environment variables about windows and compaction. No others are sent over the wire, least of all keys. */
const names = [
  "ANTHROPIC_MODEL",
  "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
  "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
  "CLAUDE_CODE_DISABLE_1M_CONTEXT",
  "CLAUDE_CODE_MAX_CONTEXT_TOKENS",
  "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
  "DISABLE_AUTO_COMPACT",
  "DISABLE_COMPACT",
];

/** Returns the part of its environment that a client sends to the service. */
export function agentEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return pick(env, (name) => names.includes(name));
}

export function pick(
  env: Readonly<Record<string, string | undefined>>,
  isWanted: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && isWanted(name) ? [[name, value]] : [],
    ),
  );
}
