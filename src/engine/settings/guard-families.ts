/** Do nothing, record what rules would do, or act. */
export const guardModes = ["off", "observe", "on"] as const;
export type GuardMode = (typeof guardModes)[number];

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

/** They prevent what cannot be made good again. */
export const protectingFamilies = ["safety", "secrets", "protect"] as const satisfies readonly GuardFamily[];
