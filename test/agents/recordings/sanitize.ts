import type { Renaming } from "./renaming.ts";
import { recordedAt } from "./renaming.ts";

/** Replaces the agent's own words. */
export const neutralText = "Neutral text.";

/** Keys with values from the format's own vocabulary, which reveal nothing about a person or a machine. */
const vocabulary = new Set(
  `type subtype role model requestedModel modelId resolvedModel pickedEffortModel version stop_reason service_tier speed
   inference_geo operation permissionMode promptSource turnOrigin userType entrypoint gitBranch effort madeBy
   promptCacheRequested querySource betas keep path trigger level status requestShape agentType attributionAgent
   subagent_type name decision source reasonType ruleSource error mode display contextRendering renderedRole
   toolsUsed id requestId tool_use_id toolUseId message_id`.split(/\s+/),
);

const vocabularyValue = /^[\w.:<>[\]-]{0,64}$/;

/**
 * Rewrites one row of a real transcript so that a public repository can hold it: all of its structure, keys and
 * figures, but only our own words. It is an allow-list: a text that is neither ours, nor a renamed id, nor a name from
 * the format's vocabulary becomes `neutralText`, whatever the key.
 *
 * @param ownTexts the prompts, replies and tool inputs of the recording, after `relocate`
 */
export function sanitizeRow(row: unknown, renaming: Renaming, ownTexts: ReadonlySet<string>): unknown {
  const clean = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return cleanText(value, key);
    if (typeof value === "number") return cleanNumber(value, key);
    if (Array.isArray(value)) return cleanList(value, key);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]): [string, unknown] => [name, clean(inner, name)]),
    );
  };

  const cleanText = (value: string, key: string): string => {
    const renamed = renaming.rename(value);
    if (renamed !== null) return renamed;
    const text = renaming.relocate(value);
    if (ownTexts.has(text)) return text;
    if (key === "slug") return "quiet-harbor-lantern";
    if (vocabulary.has(key) && vocabularyValue.test(text)) return text;
    if (key === "cwd" || key === "workingDirectory") return text;
    return text === "" ? text : neutralText;
  };

  const cleanList = (list: readonly unknown[], key: string): unknown[] => {
    // Tool schemas and rendered reminders are long and not ours: one of each preserves the shape.
    if (key === "tools" && list.some((tool) => typeof tool === "object")) return [neutralTool];
    const cleaned = list.map((item) => clean(item, key));
    const isAllNeutral = cleaned.length > 0 && cleaned.every((item) => item === neutralText);
    return isAllNeutral ? [neutralText] : cleaned;
  };

  return clean(row, "");
}

const neutralTool = { name: "Read", description: neutralText, input_schema: { type: "object" } };

/** Replaces durations and start times, which differ from run to run and mean nothing here. Milliseconds. */
function cleanNumber(value: number, key: string): number {
  if (key === "startTime") return recordedAt;
  return /duration|Ms$/i.test(key) ? 100 : value;
}

/** Every text in `value`, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
