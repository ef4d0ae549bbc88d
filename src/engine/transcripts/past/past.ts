/** Part of a conversation's past, as its agent's file tells it. Texts are the agent's own: data, of any length. */
export type PastEvent = PastPlace &
  (
    | { readonly kind: "prompt" }
    /** A response of the model, each once. It read everything before it. */
    | { readonly kind: "response"; readonly model: string | null }
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
  );

interface PastPlace {
  readonly sessionId: string;
  /** Null for the session's own conversation. */
  readonly agentId: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
  /** The working folder. */
  readonly folder: string | null;
}

/** Reads the rows of one file in order. */
export interface PastRows {
  /** @param row parsed JSON of any form; a row of another form tells nothing */
  read(row: unknown): readonly PastEvent[];
}
