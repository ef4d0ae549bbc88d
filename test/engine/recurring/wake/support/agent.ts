import {
  readDefinition,
  type RecurringAgent,
} from "../../../../../src/engine/recurring/agents/definition.ts";

/** An agent with these lines in its head. */
export function recurringAgent(name: string, ...lines: string[]): RecurringAgent {
  const head = ["program: claude", "model: claude-sonnet-4-5", ...lines].join("\n");
  const read = readDefinition(name, `---\n${head}\n---\nYou keep the harbor.\n`);
  if (!read.ok) throw new Error(read.detail.text);
  return read.value;
}
