/** Whether guard rules do nothing, record what they would do, or act. */
export const guardModes = ["off", "observe", "on"] as const;
export type GuardMode = (typeof guardModes)[number];

/** Families of guard rules, by subject. */
export const guardFamilies = [
  "safety",
  "secrets",
  "protect",
  "facts",
  "waste",
  "output",
  "loops",
  "verification",
  "learned",
] as const;
export type GuardFamily = (typeof guardFamilies)[number];

/** Families of rules that keep what cannot be made good again from happening. */
export const protectingFamilies = ["safety", "secrets", "protect"] as const satisfies readonly GuardFamily[];
