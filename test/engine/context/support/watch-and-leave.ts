import { systemClock } from "../../../../src/engine/base/clock.ts";
import { Monitor } from "../../../../src/engine/context/monitor.ts";
import { defaultSettings } from "../../../../src/engine/context/settings.ts";

/** Watches a root until it is told of a session, in the middle of learning, and lets go: then the process must end. */
const monitor = new Monitor(
  {
    roots: [process.argv[2] ?? ""],
    clock: systemClock,
    platform: process.platform,
    isAlive: () => false,
    env: {},
    learn: (signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve([]), { once: true })),
  },
  defaultSettings,
);
monitor.onChange(({ sessions }) => {
  monitor.dispose();
  process.stdout.write(`${sessions.length} session\n`);
});
await monitor.start();
