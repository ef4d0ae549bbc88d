import { chatRequest, type ChatRow, type ChatHead } from "./vscode-chat-row-schema.ts";
import { sentence, type Sentence } from "../../base/language.ts";

/** The current state of one request of a chat, from its file. */
export interface Request {
  readonly id: string;
  /** When it was sent. Milliseconds since the epoch, or null. */
  readonly sentAt: number | null;
  readonly endedAt: number | null;
  /** `<vendor>/<id>`, as VS Code names it, or null. */
  readonly model: string | null;
  /** Size of the context set for the model by its user, or null. Tokens. */
  readonly contextSize: number | null;
  /** Opening of the prompt's text; null for a request that VS Code itself sent. */
  readonly prompt: string | null;
  readonly state: "running" | "complete" | "cancelled" | "failed";
  /** Null if the participant reported none: participants report 0 when they do not know. */
  readonly usage: RequestUsage | null;
  /** Who requested that Copilot summarize the conversation within this request; null until it does. */
  readonly compaction: "auto" | "manual" | null;
  /** The answer has tool calls. The model was called again after each of them. */
  readonly hasTools: boolean;
}

export interface RequestUsage {
  /** The whole prompt of the request's last call, cached tokens included. */
  readonly prompt: number;
  /** Output of all its calls so far. */
  readonly completion: number;
}

export function requestOf(row: unknown): Request | undefined {
  const { data } = chatRequest.safeParse(row);
  if (data === undefined) return undefined;
  return {
    id: data.requestId,
    sentAt: data.timestamp ?? null,
    endedAt: data.modelState?.completedAt ?? null,
    model: data.modelId === "" ? null : (data.modelId ?? null),
    contextSize: positive(data.modelConfiguration?.contextSize),
    prompt: data.isSystemInitiated === true ? null : (data.message?.text ?? ""),
    state: stateOf(data),
    usage: usageOf(data),
    compaction: compactionOf(data),
    hasTools: (data.response ?? []).some((part) => part?.kind === "toolInvocationSerialized"),
  };
}

/** Copilot stores the summary that replaces the conversation in the request's result, several of them since 1.110. */
function compactionOf({ slashCommand, message, result }: ChatRow): Request["compaction"] {
  const { summary, summaries } = result?.metadata ?? {};
  if ((summary ?? null) === null && (summaries ?? []).length === 0) return null;
  return slashCommand?.name === "compact" || asksToCompact(message?.text ?? "") ? "manual" : "auto";
}

/** Whether a prompt is the command that makes Copilot compact the chat. */
export function asksToCompact(prompt: string): boolean {
  return /^\s*(?:@\S+\s+)?\/compact\b/u.test(prompt);
}

/**
 * VS Code's codes for a request's end. A pending one, one that waits for its user, and one with a killed process have
 * none.
 */
const ends: ReadonlyMap<number, Request["state"]> = new Map([
  [1, "complete"],
  [2, "cancelled"],
  [3, "failed"],
]);

function stateOf({ modelState, result }: ChatRow): Request["state"] {
  const state = ends.get(modelState?.value ?? -1) ?? "running";
  const hasError = result?.errorDetails !== null && result?.errorDetails !== undefined;
  return state === "complete" && hasError ? "failed" : state;
}

/** The request's own figures since 1.139, else those that earlier builds of Copilot stored in its result. */
function usageOf({ promptTokens, completionTokens, result }: ChatRow): RequestUsage | null {
  const reported = [
    { prompt: promptTokens, completion: completionTokens },
    { prompt: result?.usage?.promptTokens, completion: result?.usage?.completionTokens },
    { prompt: result?.metadata?.promptTokens, completion: result?.metadata?.outputTokens },
  ];
  for (const { prompt, completion } of reported) {
    const tokens = positive(prompt);
    if (tokens !== null) return { prompt: tokens, completion: completion ?? 0 };
  }
  return null;
}

function positive(count: number | null | undefined): number | null {
  return count === null || count === undefined || count === 0 ? null : count;
}

/** The window of a model, as VS Code knows it. Tokens. */
interface ModelWindow {
  readonly input: number;
  /** 0 where only the room for the prompt is known. */
  readonly output: number;
  /** Both together, where the model reports the sum itself. */
  readonly whole: number | null;
  readonly source: Sentence;
}

interface Window {
  readonly tokens: number;
  readonly source: Sentence;
}

/**
 * The windows of a chat's models. Its file names one window: that of the model chosen now, which may differ from the
 * request's. Earlier ones are remembered.
 */
export class ModelWindows {
  readonly #known = new Map<string, ModelWindow>();
  readonly #reported: (model: string) => number | null;

  /** @param reported room for a prompt of a model, as an editor's window reported it; null where none did */
  constructor(reported: (model: string) => number | null) {
    this.#reported = reported;
  }

  note({ inputState }: ChatHead): void {
    if (inputState === null || inputState === undefined) return;
    const { identifier, metadata } = inputState.selectedModel;
    const { maxInputTokens, maxOutputTokens, maxContextWindowTokens } = metadata;
    this.#known.set(identifier, {
      input: maxInputTokens,
      output: maxOutputTokens ?? 0,
      whole: maxContextWindowTokens ?? null,
      source: sentence("what VS Code's chat stores of the model"),
    });
  }

  /** The window in which VS Code shows this request's tokens; null where it is unknown. */
  of({ model, contextSize }: Pick<Request, "model" | "contextSize">): Window | null {
    const window = model === null ? undefined : (this.#known.get(model) ?? this.#ofEditor(model));
    if (window === undefined) return null;
    const { input, output, whole, source } = window;
    const set = contextSize ?? input;
    return { tokens: whole !== null && contextSize === null ? whole : set + output, source };
  }

  #ofEditor(model: string): ModelWindow | undefined {
    const input = this.#reported(model);
    if (input === null) return undefined;
    return {
      input,
      output: 0,
      whole: null,
      source: sentence("VS Code's list of models: the room for a prompt"),
    };
  }
}
