import { systemClock } from "../../../../src/engine/base/timing.ts";
import { SessionSource } from "../../../../src/engine/sessions/live/sessions-source.ts";
import { SessionView } from "../../../../src/engine/sessions/live/sessions-view.ts";
import { viewSettings } from "./view-settings.ts";

/** Watches a root until it learns of a session, then stops in the middle of learning; the process must exit. */
const source = new SessionSource({
  roots: [{ agent: "claude-code", path: process.argv[2] ?? "" }],
  clock: systemClock,
  isAlive: () => false,
  learn: (signal) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve([]), { once: true })),
  onProblem: (message) => void process.stdout.write(message),
});
const ports = { platform: process.platform, clock: systemClock, settings: viewSettings().settings };
const view = new SessionView(source, { folders: [], env: {} }, ports);
view.follow(({ sessions }) => {
  view.dispose();
  source.dispose();
  process.stdout.write(`${sessions.length} session\n`);
});
await source.follow();
