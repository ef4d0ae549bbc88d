/** Families of line types that contain nothing more that purser needs. Any other type is counted as unknown. */
const quiet =
  /^(?:abort|assistant|capabilities|commands|elicitation|exit_plan_mode|external_tool|fusion|hook|mcp|model|permission|sampling|session|skill|subagent|system|tool|user|user_input)(?:\.|$)/u;

export function isQuiet(type: string): boolean {
  return quiet.test(type);
}
