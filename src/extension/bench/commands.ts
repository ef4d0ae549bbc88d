/** Commands of benches, whose code is loaded when the window is connected or one of them is first used. */
export const benchCommands = [
  "purser.openBenchmark",
  "purser.runBenchmark",
  "purser.resumeBenchmark",
  "purser.newGoldenTask",
] as const;
export type BenchCommand = (typeof benchCommands)[number];
