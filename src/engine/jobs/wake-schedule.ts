import { type Sentence, compose } from "../base/text/sentence.ts";
import { watch } from "node:fs";
import path from "node:path";
import type { Disposable } from "../base/disposable.ts";
import { DisposableList } from "../base/disposable.ts";
import { ensurePrivateFolder } from "../base/disk/private-place.ts";
import { Debounce } from "../base/timing/debounce.ts";
import { agreedFile } from "../recurring/consent/agreement.ts";
import { isUnderWay } from "./answers/stages.ts";
import type { JobQueue } from "./queue.ts";
import type { HostPorts } from "../base/process/host-ports.ts";
import { sampleFolder } from "../base/process/sample-folder.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { FolderTrust } from "../settings/folder-trust.ts";
import { WakeSchedule } from "../recurring/host/wake-schedule.ts";

export interface ScheduleInput extends Pick<HostPorts, "home" | "env" | "clock" | "pid" | "log"> {
  readonly settings: SettingsStore;
  readonly jobs: JobQueue;
  readonly trust: Pick<FolderTrust, "folders" | "isTrusted">;
}

export interface ScheduleHost {
  readonly schedule: WakeSchedule;
  /** Looks at all schedules soon: folders may have come, or are trusted now. */
  readonly soon: () => void;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** Many files may change at once. Milliseconds. */
const patience = { quiet: 100, most: 1000 };

/** Creates the schedule that wakes recurring agents. Undefined in a sample, which has no real agents. */
export function createSchedule({
  home,
  env,
  clock,
  pid,
  log,
  settings,
  jobs,
  trust,
}: ScheduleInput): ScheduleHost | undefined {
  if (sampleFolder(env) !== undefined) return undefined;
  const owned = new DisposableList();
  const onProblem = (message: Sentence) => log.write("warn", message.text);
  const isOn = () => settings.now().wakes;
  const schedule = new WakeSchedule({
    isOn,
    projects: () => trust.folders(),
    // Their code is loaded only once agents are to be woken.
    read: async (project, name) => {
      const { readTrustedAgents } = await import("../recurring/host/read-agents.ts");
      return await readTrustedAgents(project, name, {
        wakes: home.wakes,
        clock,
        pid,
        isTrusted: trust.isTrusted,
      });
    },
    wake: async ({ project, agent, slot }) => {
      const ask = { kind: "wake" as const, project, agent, isFresh: false, slot };
      const started = jobs.start({ ask, env: {}, project });
      if (started.ok) await jobs.whenEnded(started.value.id);
    },
    now: () => clock.now(),
    after: (milliseconds, act) => {
      const timer = setTimeout(act, milliseconds);
      return { dispose: () => clearTimeout(timer) };
    },
    onProblem,
  });
  const soon = owned.add(new Debounce(patience, () => schedule.changed()));
  let watched: Disposable | undefined;
  // A person's agreement is a file, whoever wrote it.
  const follow = () => {
    if (!isOn()) {
      watched?.dispose();
      watched = undefined;
    } else watched ??= watchFolder(home.wakes, () => soon.ask(), onProblem);
    soon.ask();
  };
  owned.add(
    jobs.jobs.onChange(({ wakes }) => {
      // An agent that a person had woken may be due by now.
      if (isOn() && wakes.some(({ ask, state }) => ask.slot === null && !isUnderWay(state))) soon.ask();
    }),
  );
  let wasOn = false;
  owned.add(
    settings.onChange(() => {
      // Other settings change more often.
      if (isOn() === wasOn) return;
      wasOn = isOn();
      follow();
    }),
  );
  return {
    schedule,
    soon: () => {
      if (isOn()) soon.ask();
    },
    start: () => {
      wasOn = isOn();
      if (wasOn) follow();
    },
    stop: async () => {
      owned.dispose();
      watched?.dispose();
      await schedule.stop();
    },
  };
}

function watchFolder(
  folder: string,
  onChange: () => void,
  onProblem: (message: Sentence) => void,
): Disposable {
  const place = ensurePrivateFolder(folder);
  if (!place.ok) onProblem(place.detail);
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || name === path.basename(agreedFile(folder))) onChange();
    });
    watcher.on("error", (error) => onProblem(compose`${folder}: ${String(error)}`));
    return { dispose: () => watcher.close() };
  } catch (error) {
    onProblem(compose`${folder} cannot be watched: ${String(error)}`);
    return { dispose: () => undefined };
  }
}
