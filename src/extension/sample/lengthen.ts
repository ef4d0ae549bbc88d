import * as z from "zod/mini";
import { parseJson } from "../../engine/base/parse.ts";
import { fillerText, type FillerKind } from "./filler.ts";

/** Recordings have this in place of texts that are not ours to keep. */
const placeholder = "Neutral text.";
/** Characters of a token of code and English. */
const perToken = 3.8;
/** Share of a session's first request that is its system prompt and its tools. */
const shapeShare = 0.8;

const block = z.looseObject({
  type: z.optional(z.string()),
  text: z.optional(z.string()),
  content: z.optional(z.unknown()),
  tool_use_id: z.optional(z.string()),
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  input: z.optional(z.unknown()),
});
type Block = z.infer<typeof block>;
const message = z.looseObject({
  id: z.optional(z.string()),
  role: z.optional(z.string()),
  content: z.union([z.string(), z.array(block)]),
  usage: z.optional(
    z.looseObject({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cache_creation_input_tokens: z._default(z.number(), 0),
      cache_read_input_tokens: z._default(z.number(), 0),
    }),
  ),
});
const shape = z.looseObject({
  system: z._default(z.array(block), []),
  tools: z._default(z.array(z.looseObject({ description: z.optional(z.string()) })), []),
});
const row = z.looseObject({
  type: z.optional(z.string()),
  hash: z.optional(z.string()),
  shapeHash: z.optional(z.string()),
  shape: z.optional(shape),
  message: z.optional(message),
});
type Row = z.infer<typeof row>;

/** A text to write, once its length is known. The same text may be in several rows. */
interface Slot {
  characters: number;
  readonly weight: number;
  readonly seed: number;
  readonly kind: FillerKind;
}

/**
 * Gives the texts of a recorded transcript of Claude Code the length that its token figures say, so that figures of the
 * sample add up: what a request has more than the one before it is what the tools returned and the person wrote, and a
 * reply has thoughts beside its words. Other rows stay as they are.
 */
export function lengthened(transcript: string): string {
  const lines = transcript.split("\n").map((text) => ({ text, row: rowIn(text) }));
  const slots = new Slots();
  for (const each of lines) if (each.row !== null) slots.measure(each.row);
  return lines
    .map(({ text, row: each }) => (each === null ? text : (slots.written(each) ?? text)))
    .join("\n");
}

function rowIn(text: string): Row | null {
  return text === "" ? null : (row.safeParse(parseJson(text)).data ?? null);
}

class Slots {
  readonly #all = new Map<string, Slot>();
  /** Texts that the next response is the first to have. */
  #waiting: Slot[] = [];
  #shape: Slot[] = [];
  #shapeTokens = 0;
  #held = 0;
  #response: string | null = null;
  #toolOf = new Map<string, string>();

  measure(each: Row): void {
    if (each.shape !== undefined) this.#measureShape(each);
    const { message: said } = each;
    if (said === undefined || typeof said.content === "string") return;
    for (const [at, part] of said.content.entries()) {
      if (part.type === "tool_use" && part.id !== undefined) this.#toolOf.set(part.id, part.name ?? "");
      const key = keyOf(each, part, at);
      if (key !== null) this.#wait(key, part);
    }
    if (each.type === "assistant") this.#measureReply(said);
  }

  /** The row with its texts, or null for one without any. */
  written(each: Row): string | null {
    if (each.shape !== undefined) {
      const { system, tools } = each.shape;
      return JSON.stringify({
        ...each,
        shape: {
          ...each.shape,
          system: system.map((part, at) => ({
            ...part,
            text: this.#textOf(`${each.shapeHash} system ${at}`) ?? part.text,
          })),
          tools: tools.map((tool, at) => ({
            ...tool,
            description: this.#textOf(`${each.shapeHash} tool ${at}`) ?? tool.description,
          })),
        },
      });
    }
    const { message: said } = each;
    if (said === undefined || typeof said.content === "string") return null;
    const content = said.content.map((part, at) => {
      const key = keyOf(each, part, at);
      const text = key === null ? undefined : this.#textOf(key);
      if (text === undefined) return part;
      return part.type === "tool_result" ? { ...part, content: text } : { ...part, text };
    });
    const thought = this.#thoughtOf(each, said);
    return JSON.stringify({ ...each, message: { ...said, content: [...thought, ...content] } });
  }

  #measureShape({ shapeHash, shape: sent }: Row): void {
    this.#shape = [
      ...(sent?.system ?? []).map((_, at) => this.#slot(`${shapeHash} system ${at}`, 2, "prose")),
      ...(sent?.tools ?? []).map((_, at) => this.#slot(`${shapeHash} tool ${at}`, 4, "prose")),
    ];
  }

  #wait(key: string, part: Block): void {
    if (this.#all.has(key)) return;
    const tool = this.#toolOf.get(part.tool_use_id ?? "");
    const kind = part.type !== "tool_result" ? "prose" : tool === "Bash" ? "log" : "code";
    this.#waiting.push(this.#slot(key, 1, kind));
  }

  #measureReply({ id, usage }: z.infer<typeof message>): void {
    if (id === undefined || usage === undefined || id === this.#response) return;
    this.#response = id;
    const {
      input_tokens: input,
      cache_creation_input_tokens: created,
      cache_read_input_tokens: read,
    } = usage;
    const held = input + created + read;
    if (this.#shapeTokens === 0) {
      this.#shapeTokens = held * shapeShare;
      share(this.#shape, this.#shapeTokens * perToken);
    }
    const before = held < this.#held || this.#held === 0 ? this.#shapeTokens : this.#held;
    share(this.#waiting, Math.max(0, held - before) * perToken);
    this.#waiting = [];
    this.#slot(`thought ${id}`, 1, "prose").characters = usage.output_tokens * perToken;
    this.#held = held + usage.output_tokens;
  }

  /** An agent's thoughts come before its words, in the first row of its reply and in what the next request sends. */
  #thoughtOf(each: Row, { id, content }: z.infer<typeof message>): object[] {
    if (typeof content === "string") return [];
    const isReply = each.type === "assistant" && id !== undefined;
    const call = content.find((part) => part.type === "tool_use")?.id;
    const words = content.find((part) => part.type === "text")?.text;
    if (isReply) {
      if (words === undefined) {
        if (call !== undefined) this.#thoughts.set(call, id);
        return [];
      }
      this.#thoughts.set(words, id);
    }
    const owner = isReply ? id : each.message?.role === "assistant" ? this.#ownerOf(call, words) : undefined;
    const text = owner === undefined ? undefined : this.#textOf(`thought ${owner}`);
    return text === undefined || text === "" ? [] : [{ type: "thinking", thinking: text, signature: "" }];
  }

  readonly #thoughts = new Map<string, string>();

  #ownerOf(call: string | undefined, words: string | undefined): string | undefined {
    const named = /^toolu_(?<id>msg_\w+?)_\d+$/u.exec(call ?? "")?.groups?.["id"];
    return named ?? this.#thoughts.get(call ?? "") ?? this.#thoughts.get(words ?? "");
  }

  #slot(key: string, weight: number, kind: FillerKind): Slot {
    const known = this.#all.get(key);
    if (known !== undefined) return known;
    const slot = { characters: 0, weight, seed: this.#all.size + 1, kind };
    this.#all.set(key, slot);
    return slot;
  }

  #textOf(key: string): string | undefined {
    const slot = this.#all.get(key);
    return slot === undefined || slot.characters === 0
      ? undefined
      : fillerText(slot.characters, slot.kind, slot.seed);
  }
}

function share(slots: readonly Slot[], characters: number): void {
  const weights = slots.reduce((sum, { weight }) => sum + weight, 0);
  for (const slot of slots) slot.characters = (characters * slot.weight) / weights;
}

/** A tool's result is in a row and in a request; a text that was left out of a request is only there. */
function keyOf(each: Row, part: Block, at: number): string | null {
  if (part.type === "tool_result" && part.tool_use_id !== undefined) {
    const isShort = typeof part.content === "string" && part.content.length < 200;
    return isShort ? `result ${part.tool_use_id}` : null;
  }
  return each.type === "api-request-blob" && part.type === "text" && part.text === placeholder
    ? `text ${each.hash} ${at}`
    : null;
}
