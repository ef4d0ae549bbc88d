import type { Configuration } from "./configuration.ts";

/** What an agent's active rules come to in its memory, and what people call that. */
interface ActiveMemory {
  readonly label: string;
  readonly text: string;
}

/** By agent; one without active rules is not in it. */
export type ActiveMemories = Readonly<Record<string, ActiveMemory>>;

interface Own {
  readonly agent: string;
  readonly model: string;
  readonly effort: string | null;
  /** Of its active rules; null where none is active. */
  readonly memory: ActiveMemory | null;
}

/**
 * An agent as it is: its own definition, with its active rules. Only runs of this are its baselines, which are by model. An effort that it is
 * told is a change of it.
 */
export function asItIs({ agent, model, effort, memory }: Own): Configuration {
  return {
    label: memory?.label ?? "no rules",
    agent,
    model,
    effort,
    definition: null,
    memory: memory?.text ?? null,
    overlay: [],
    role: effort === null ? "active" : "candidate",
  };
}

/** An agent with another memory than that of its active rules, or with none. */
export function withMemory(
  own: Omit<Own, "memory">,
  memory: { readonly label: string; readonly text: string | null },
): Configuration {
  const { label, text } = memory;
  return { ...asItIs({ ...own, memory: null }), label, memory: text, role: "candidate" };
}
