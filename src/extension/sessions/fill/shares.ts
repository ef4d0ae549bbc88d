import { shareOut } from "../../../engine/base/share-out.ts";
import type { ContextSnapshot } from "../../../engine/sessions/sessions-context.ts";
import type { ContextFill } from "../../../engine/ledger/answers.ts";

/** What can fill a context, in the order in which a request has it. */
const fillKinds = ["system", "tools", "memory", "files", "outputs", "prompts", "answers"] as const;
export type FillKind = (typeof fillKinds)[number];

export interface FillShare {
  readonly kind: FillKind;
  /** Estimated: the measured occupancy by its share of the characters. */
  readonly tokens: number;
}

/** The transcript's names of parts; results of tools are named after the tool. */
const kinds: Readonly<Record<string, FillKind>> = {
  system: "system",
  tools: "tools",
  "mcp-tools": "tools",
  memory: "memory",
  skills: "memory",
  "result:Read": "files",
  "result:NotebookRead": "files",
  user: "prompts",
  summary: "prompts",
  attachments: "prompts",
  assistant: "answers",
  thinking: "answers",
  "tool-calls": "answers",
};

/** Splits a measured occupancy by kind; the shares add up to it. Empty kinds are left out; null where nothing is known. */
export function sharesOf(
  { occupancy }: Pick<ContextSnapshot, "occupancy">,
  fill: ContextFill | null,
): FillShare[] | null {
  if (fill === null || occupancy.value === null) return null;
  const chars = new Map<FillKind, number>();
  for (const { name, chars: each } of fill.parts) {
    const kind = kinds[name] ?? (name.startsWith("result:") ? "outputs" : "prompts");
    chars.set(kind, (chars.get(kind) ?? 0) + each);
  }
  const present = fillKinds.filter((kind) => (chars.get(kind) ?? 0) > 0);
  if (present.length === 0) return null;
  const tokens = shareOut(
    Math.round(occupancy.value),
    present.map((kind) => chars.get(kind) ?? 0),
  );
  return present.map((kind, index) => ({ kind, tokens: tokens[index] ?? 0 }));
}
