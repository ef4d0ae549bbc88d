import { TtlCache } from "../../base/ttl-cache.ts";
import type { CallGuardPorts } from "../../guard/calls/handler.ts";
import { repositoryRoot } from "../../guard/calls/repository-root.ts";
import type { judgeByCatalogue } from "../../guard/catalogue/judge-all.ts";
import type { LedgerHost } from "../ledger/host.ts";

export interface CallGuardInput {
  readonly userHome: string;
  readonly temporary: string;
  readonly ledger: Pick<LedgerHost, "append">;
  readonly onProblem: (message: string) => void;
}

/** Time for which the project of a folder is not looked for again. Milliseconds. */
const trust = 60_000;

/** Makes the ports of the guard on calls. The rules' code is loaded with the first call. */
export function createCallGuard({
  userHome,
  temporary,
  ledger,
  onProblem,
}: CallGuardInput): Omit<CallGuardPorts, "memory" | "now" | "isOn" | "modeOf"> {
  let judge: typeof judgeByCatalogue | undefined;
  const load = async (): Promise<typeof judgeByCatalogue> => {
    ({ judgeByCatalogue: judge } = await import("../../guard/catalogue/judge-all.ts"));
    return judge;
  };
  const projects = new TtlCache((folder) => repositoryRoot(folder, userHome), {
    trust,
    now: () => performance.now(),
  });
  return {
    judge: (call, context) => judge?.(call, context) ?? load().then((loaded) => loaded(call, context)),
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
