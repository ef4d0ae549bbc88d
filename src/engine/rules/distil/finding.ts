type FindingKind =
  "file-reread" | "repeated-search" | "repeated-failure" | "unused-output" | "long-navigation";

/** A turn that shows a finding. */
export interface ShownTurn {
  /** Line of the transcript, counted from 1. */
  readonly line: number;
  readonly what: string;
}

/** Something a run could have done with fewer tokens and the same result. */
export interface Finding {
  readonly kind: FindingKind;
  /** One sentence with the figures. */
  readonly what: string;
  /** Characters that came into the context needlessly, as far as the transcript shows. */
  readonly characters: number;
  readonly turns: readonly ShownTurn[];
  /** Advice that would have avoided it. */
  readonly advice: string;
}
