import { isObject } from "../../../base/parse.ts";
import { itemEvent, messageEvent } from "../work-rows.ts";

/** Reads the prompts of a rollout. Some versions write each twice: as a message, and as an item. */
export class Prompts {
  #last: { readonly type: string; readonly text: string } | null = null;
  #count = 0;

  /** True after the first prompt, until the second. */
  get isFirst(): boolean {
    return this.#count === 1;
  }

  /** Returns a prompt's text; undefined for any other event, and for a repeated prompt. */
  read(type: string, payload: unknown): string | undefined {
    const text = promptIn(type, payload);
    if (text === undefined) return undefined;
    const isRepeated = this.#last !== null && this.#last.type !== type && this.#last.text === text;
    this.#last = isRepeated ? null : { type, text };
    if (isRepeated) return undefined;
    this.#count += 1;
    return text;
  }
}

/**
 * The heading that editors put before the prompt itself, after the list of open files and similar context. Seen in the
 * binary of 0.169.0.
 */
const beginning = "## My request for Codex:";

function promptIn(type: string, payload: unknown): string | undefined {
  const text = textIn(type, payload);
  const begin = text?.indexOf(beginning) ?? -1;
  return begin === -1 ? text : text?.slice(begin + beginning.length).trim();
}

function textIn(type: string, payload: unknown): string | undefined {
  if (type === "user_message") return messageEvent.safeParse(payload).data?.message ?? undefined;
  if (type !== "item_completed") return undefined;
  const item = itemEvent.safeParse(payload).data?.item;
  return item?.type === "UserMessage" ? textOf(item.content) : undefined;
}

/** The texts of a message; images have none. */
function textOf(content: unknown): string {
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts
    .flatMap((part) => (isObject(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join(" ");
}
