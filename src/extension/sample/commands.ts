/** The sample's commands: its panels have their own, beside the user's. */
export const sampleCommands = [
  "purser.openSample",
  "purser.closeSample",
  "purser.openSampleLedger",
  "purser.reviewSampleRules",
  "purser.openSampleBenchmark",
  "purser.openSampleComparisons",
  "purser.showSampleReport",
  "purser.showSampleGuard",
  "purser.showSampleEconomy",
] as const;
export type SampleCommand = (typeof sampleCommands)[number];
