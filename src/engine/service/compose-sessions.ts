import type { DisposableList } from "../base/events.ts";
import { HookAdvice } from "../hooks/advice.ts";
import { StoredWorkFinder, PastCompactions } from "../ledger/ledger-host.ts";
import { agentEnvironment } from "../sessions/agent-environment.ts";
import { ViewPool, liveAccounts, StoredWorkTaker } from "../sessions/live.ts";
import type { HookSessions } from "../sessions/reported.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { agentRoots, sessionRoots } from "../transcripts/agents.ts";
import type { ServicePorts } from "./service-ports.ts";

export interface SessionInput extends ServicePorts {
  readonly settings: SettingsStore;
  readonly hookSessions: HookSessions;
  readonly observing: (session: string) => readonly string[];
  readonly onProblem: (message: string) => void;
  readonly owned: DisposableList;
}

export function composeSessions(input: SessionInput) {
  const { env, userHome, machine, ledger, onProblem, owned } = input;
  const past = new PastCompactions({ ...input, places: agentRoots({ env, home: userHome }) });
  const stored = ledger && new StoredWorkFinder(ledger);
  const views = owned.add(
    new ViewPool({
      ...input,
      ...(ledger === undefined ? {} : { ledgerProblem: ledger.problem }),
      isAlive: machine.isAlive,
      learn: past.find,
      ...(stored === undefined ? {} : { taker: () => new StoredWorkTaker(stored.find, onProblem) }),
    }),
  );
  const roots = sessionRoots({ env, home: userHome });
  const defaults = { roots, env: agentEnvironment(env), folders: [] };
  const advice = owned.add(new HookAdvice(views, defaults));
  const { item: source } = owned.add(views.source(roots));
  return {
    views,
    defaults,
    advice,
    feed: source.feed,
    live: liveAccounts(source),
    /** Called when the ledger is opened. */
    load: () => {
      past.start();
      stored?.start();
    },
  };
}
