import { DisposableList } from "../base/events.ts";
import { type HookService, SessionFiles } from "../hooks/dispatch.ts";
import { type Feature, type ServiceCore, GuardArms } from "../hooks/feature.ts";
import type { ServeClient } from "../protocol/serve.ts";
import { serveSessions } from "../sessions/live.ts";
import { HookSessions } from "../sessions/reported.ts";
import { SettingsStore } from "../settings/settings-store.ts";
import { composeHooks } from "./compose-hooks.ts";
import { composeSessions } from "./compose-sessions.ts";
import { features } from "./features.ts";
import { createJobs } from "./jobs/feature.ts";
import type { Finisher, ServicePorts } from "./service-ports.ts";

export interface ServiceParts {
  readonly settings: SettingsStore;
  readonly views: ReturnType<typeof composeSessions>["views"];
  /** Undefined without a ledger. */
  readonly hooks: HookService | undefined;
  readonly features: readonly Feature[];
  readonly serve: readonly ServeClient[];
  /** Called before hooks are answered. */
  readonly prepare: () => Promise<void>;
  /** Called once the ledger is being opened. */
  readonly load: () => void;
  readonly finishers: readonly Finisher[];
  readonly owned: DisposableList;
}

export function composeService(ports: ServicePorts, onHook: () => void): ServiceParts {
  const { clock, ledger, home, log } = ports;
  const owned = new DisposableList();
  const onProblem = (message: string) => log.write("warn", message);
  const settings = owned.add(new SettingsStore({ ...ports, onProblem: ({ text }) => onProblem(text) }));
  const kept = new SessionFiles({ folder: home.sessions, clock, onProblem });
  const hookSessions = owned.add(new HookSessions());
  const arms = new GuardArms(kept.memory);
  const observing = (session: string) => arms.observing(session);
  const shared = { ...ports, settings, hookSessions, observing, onProblem, owned };
  const sessions = composeSessions(shared);
  const { views, defaults, advice } = sessions;
  const core: ServiceCore | undefined = ledger && {
    ...shared,
    ledger,
    live: sessions.live,
    feed: sessions.feed,
    memory: kept.memory,
    adviceOf: advice.of,
    arms,
  };
  const created = features.map((create) => create(core));
  created.push(createJobs(shared, core));
  const hooks =
    core &&
    composeHooks(core, {
      kept,
      onHook: () => {
        for (const feature of created) feature.onHook?.();
        onHook();
      },
    });
  if (hooks !== undefined) for (const feature of created) feature.register?.(hooks);
  return {
    settings,
    views,
    hooks,
    features: created,
    owned,
    serve: [
      serveSessions({
        views,
        defaults,
        onWindow: (text, view) => {
          settings.setWindowSettings(text);
          advice.setWindow(view);
          for (const feature of created) feature.onWindow?.(text, view);
        },
      }),
      ...created.flatMap((feature) => feature.serve ?? []),
    ],
    prepare: async () => {
      for (const feature of created) await feature.prepare?.();
    },
    load: () => {
      sessions.load();
      for (const feature of created) feature.load?.();
    },
    finishers: [
      ...created
        .toReversed()
        .flatMap(({ name, stop }) => (stop === undefined ? [] : [{ name, finish: stop }])),
      // Hook records reach the ledger before it is closed.
      { name: "hook records", finish: async () => await hooks?.stop() },
      ...created.flatMap(({ name, stopLast }) =>
        stopLast === undefined ? [] : [{ name, finish: stopLast }],
      ),
    ],
  };
}
