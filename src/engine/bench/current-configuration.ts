import { sentence, type Sentence } from "../base/text/sentence.ts";
import type { Configuration } from "./configuration.ts";

/** An agent's active rules as the text of its memory, with the label people see. */
interface ActiveMemory {
  readonly label: Sentence;
  readonly text: string;
}

/** By agent; agents without active rules are absent. */
export type ActiveMemories = Readonly<Record<string, ActiveMemory>>;

interface Own {
  readonly agent: string;
  readonly model: string;
  readonly effort: string | null;
  /** The agent's active rules; null when none is active. */
  readonly memory: ActiveMemory | null;
}

/**
 * The configuration of an unchanged agent: its own definition, with its active rules. Only its runs become
 * baselines, which are per model. An explicit effort makes it a candidate.
 */
export function currentConfiguration({ agent, model, effort, memory }: Own): Configuration {
  return {
    label: memory?.label ?? sentence("no rules"),
    agent,
    model,
    effort,
    definition: null,
    memory: memory?.text ?? null,
    overlay: [],
    role: effort === null ? "active" : "candidate",
  };
}

/** The configuration of an agent with a memory other than its active rules, or with none. */
export function withMemory(
  own: Omit<Own, "memory">,
  memory: { readonly label: Sentence; readonly text: string | null },
): Configuration {
  const { label, text } = memory;
  return { ...currentConfiguration({ ...own, memory: null }), label, memory: text, role: "candidate" };
}
