export const rentCommands = ["purser.measureHere", "purser.measureSkill", "purser.measureServer"] as const;
export type RentCommand = (typeof rentCommands)[number];
