/** Part of a conversation's past, as its agent's file tells it. Texts are the agent's own: data, of any length. */
export type PastEvent = PastPlace &
  /** What a person or a script asked for. */
  (
    | { readonly kind: "prompt"; readonly text: string }
    /** A response of the model, each once. It read everything before it. */
    | { readonly kind: "response"; readonly model: string | null }
    /** What the model said in words, beside its calls; of a long answer each part, in order. */
    | { readonly kind: "reply"; readonly text: string }
    | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly input: unknown }
    /** What the model was given as a call's result. */
    | {
        readonly kind: "result";
        readonly id: string;
        readonly text: string;
        /** Null where the file does not say. */
        readonly isError: boolean | null;
      }
    /** Everything before is summed up, and no longer read. */
    | { readonly kind: "compaction" }
    /** The text that stands for all before the last compaction; not every agent keeps it in its file. */
    | { readonly kind: "summary"; readonly text: string }
    /** A person went back: the last prompts, so many, and all that followed them are no longer part of the conversation. */
    | { readonly kind: "rewind"; readonly prompts: number }
  );

interface PastPlace {
  readonly sessionId: string;
  /** Null for the session's own conversation. */
  readonly agentId: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
  /** The working folder. */
  readonly folder: string | null;
  /** The git branch; null where the file does not say. */
  readonly branch: string | null;
}

/** Reads the rows of one file in order. */
export interface PastRows {
  /** @param row parsed JSON of any form; a row of another form tells nothing */
  read(row: unknown): readonly PastEvent[];
}
