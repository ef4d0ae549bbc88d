/** The phases of a session's work, from its beginning to the end of its context. */
export const phases = ["Warmup", "Productive", "Exploring", "Struggling", "Late"] as const;
export type Phase = (typeof phases)[number];
