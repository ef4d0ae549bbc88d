import type { ChatHead } from "./vscode-chat-row-schema.ts";
import type { Request } from "./request-state.ts";
import { sentence, type Sentence } from "../../base/language.ts";

/** The window of a model, as VS Code knows it. Tokens. */
interface ModelWindow {
  readonly input: number;
  /** 0 where only the room for the prompt is known. */
  readonly output: number;
  /** Both together, where the model reports the sum itself. */
  readonly whole: number | null;
  readonly source: Sentence;
}

export interface Window {
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
