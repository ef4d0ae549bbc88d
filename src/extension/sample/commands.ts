/** The sample's commands. Its panels lead to each other. */
export const sampleCommands = ["purser.openSample", "purser.closeSample"] as const;
export type SampleCommand = (typeof sampleCommands)[number];

/** Begins the names of all samples' folders. */
export const samplePrefix = "purser-sample-";
