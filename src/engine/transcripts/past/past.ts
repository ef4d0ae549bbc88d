/** An event in a past conversation, as its agent's file records it. Texts are the agent's own: data, of any length. */
export type PastEvent = PastPlace &
  /** The prompt of a person or a script. */
  (
    | { readonly kind: "prompt"; readonly text: string }
    /** A response of the model, each reported once. It read everything before it. */
    | { readonly kind: "response"; readonly model: string | null }
    /** The text that the model wrote beside its calls; each part of a long answer, in order. */
    | { readonly kind: "reply"; readonly text: string }
    | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly input: unknown }
    /** The result of a call, as sent to the model. */
    | {
        readonly kind: "result";
        readonly id: string;
        readonly text: string;
        /** Null where the file does not record it. */
        readonly isError: boolean | null;
      }
    /** Everything before is summarized, and no longer read. */
    | { readonly kind: "compaction" }
    /** The summary that replaces everything before the last compaction; not every agent stores it in its file. */
    | { readonly kind: "summary"; readonly text: string }
    /** A person went back: this many of the last prompts, and everything after them, left the conversation. */
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
  /** The git branch; null where the file does not record it. */
  readonly branch: string | null;
}

/** Reads the rows of one file in order. */
export interface PastRows {
  /** @param row parsed JSON of any form; a row of an unknown form yields no events */
  read(row: unknown): readonly PastEvent[];
}
