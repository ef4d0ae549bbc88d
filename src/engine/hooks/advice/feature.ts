import type { CreateFeature } from "../feature.ts";
import { adviceHandler } from "./advice-handler.ts";

/** Warns an agent when its context fills. */
export const adviceFeature: CreateFeature = (core) => ({
  name: "advice",
  register: (hooks) => {
    if (core === undefined) return;
    const { adviceOf, memory, settings, clock } = core;
    hooks.register(
      adviceHandler({
        adviceOf,
        memory,
        isOn: (folder) => settings.of(folder).warnAgent,
        everyCalls: () => settings.now().warnEveryCalls,
        reminder: () => settings.now().totalTokensReminder,
        now: () => clock.now(),
      }),
    );
  },
});
