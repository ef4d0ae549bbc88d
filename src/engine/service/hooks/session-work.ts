import { SessionWork, type WorkPorts } from "../../guard/work/handler.ts";
import { guardFamilies } from "../../settings/guard.ts";
import type { LedgerHost } from "../ledger/host.ts";
import type { SettingsStore } from "../settings-store.ts";

interface SessionWorkInput extends Pick<WorkPorts, "memory" | "adviceOf" | "rootOf" | "now" | "isCheck"> {
  readonly settings: Pick<SettingsStore, "of">;
  readonly ledger: Pick<LedgerHost, "append">;
  readonly onProblem: (message: string) => void;
}

/** Follows the work of sessions wherever any guard is more than off. */
export function createSessionWork({ settings, ledger, onProblem, ...ports }: SessionWorkInput): SessionWork {
  const report = (why: string) => onProblem(`The ledger has not the state of a session: ${why}`);
  return new SessionWork({
    ...ports,
    loopOf: () => null,
    isOn: (folder) => {
      const { guardMode, guardFamilies: own } = settings.of(folder);
      return guardFamilies.some((family) => (own[family] ?? guardMode) !== "off");
    },
    record: (entries) => {
      ledger.append(entries).then(
        (done) => {
          if (!done.ok) report(done.detail);
        },
        (error: unknown) => report(String(error)),
      );
    },
  });
}
