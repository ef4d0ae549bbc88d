import type { PurserPaths } from "../../base/disk/home.ts";
import type { Clock } from "../../base/timing/clock.ts";
import { TtlCache } from "../../base/ttl-cache.ts";
import type { CallGuardPorts } from "../../guard/calls/handler.ts";
import { LoadedRules } from "../../guard/user-rules/loaded-rules.ts";
import { guardFileAt } from "./guard-file.ts";
import { repositoryRoot } from "./repository-root.ts";
import type { LedgerHost } from "../ledger/host.ts";

export interface CallGuardInput {
  readonly home: Pick<PurserPaths, "guardRules">;
  readonly clock: Clock;
  readonly userHome: string;
  readonly temporary: string;
  readonly ledger: Pick<LedgerHost, "append">;
  readonly onProblem: (message: string) => void;
}

/** Time for which the project of a folder is not looked for again. Milliseconds. */
const trust = 60_000;

/** Makes the ports of the guard on calls. */
export function createCallGuard({
  home,
  clock,
  userHome,
  temporary,
  ledger,
  onProblem,
}: CallGuardInput): Omit<CallGuardPorts, "memory" | "now" | "isOn" | "modeOf"> {
  const rules = new LoadedRules({
    file: guardFileAt(home.guardRules),
    now: () => clock.now(),
    elapsed: () => performance.now(),
    onProblem,
  });
  const projects = new TtlCache((folder) => repositoryRoot(folder, userHome), {
    trust,
    now: () => performance.now(),
  });
  return {
    judge: (call, context) => rules.judge(call, context),
    contextOf: (folder) => ({
      folder,
      home: userHome,
      project: folder === null ? null : projects.get(folder),
      temporary,
    }),
    record: (entries) => {
      ledger.append(entries).then(
        (done) => {
          if (!done.ok) onProblem(`The ledger has not what guard rules did: ${done.detail}`);
        },
        (error: unknown) => onProblem(`The ledger has not what guard rules did: ${String(error)}`),
      );
    },
  };
}
