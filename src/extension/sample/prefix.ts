/** Begins the names of all samples' folders. */
export const samplePrefix = "purser-sample-";
