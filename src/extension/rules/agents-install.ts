import { randomUUID } from "node:crypto";
import type { FilePort } from "../../engine/base/files.ts";
import {
  installAgents,
  planAgents,
  removeAgents,
  type InstallableAgent,
  type PlannedAgent,
} from "../../engine/rules/install-agents.ts";
import { inMessage } from "../editor/outside-text.ts";
import { type Translate, shortPath } from "../editor/describe-editor.ts";
import type { AskedChange } from "../hooks/preview.ts";
import { inWords } from "../../engine/base/language.ts";

const maxQuestionLength = 400;

export interface AgentsAsked {
  readonly agents: readonly InstallableAgent[];
  /** Claude Code's configuration folder. */
  readonly root: string;
}

export interface AgentsPorts {
  readonly files: FilePort;
  readonly t: Translate;
  /** Shows a notification; returns the button that was pressed. */
  readonly inform: (message: string, ...buttons: string[]) => PromiseLike<string | undefined>;
  /** Shows the proposed files; returns whether the user agrees. */
  readonly preview: (asked: AskedChange) => Promise<boolean>;
  readonly showFailure: (detail: string) => Promise<void>;
}

/** Installs agents into Claude Code's own folder: shows each file, asks, writes, and offers to undo. */
export async function installAfterShowing({ agents, root }: AgentsAsked, ports: AgentsPorts): Promise<void> {
  const { files, t } = ports;
  const planned = await planAgents(agents, root, files);
  const wanted = planned.filter(({ kind }) => kind === "new");
  const others = planned.flatMap((agent) => whyNot(agent, t) ?? []);
  if (wanted.length === 0) {
    const there = planned.filter(({ kind }) => kind === "same");
    const remove = t("Remove");
    const chosen = await ports.inform(
      inMessage([...others, t("Nothing was written.")].join(" "), maxQuestionLength),
      ...(there.length === 0 ? [] : [remove]),
    );
    if (chosen === remove) await takeBack(there, root, ports);
    return;
  }
  const names = wanted.map(({ name }) => name).join(", ");
  const isYes = await ports.preview({
    title: t("Install Agents: {0}", names),
    changes: wanted.map(({ file, definition }) => ({ file, before: null, after: definition })),
    question: inMessage(
      [t("Write these agents for Claude Code into {0}?", shortPath(root)), ...others].join(" "),
      maxQuestionLength,
    ),
    yes: t("Install"),
  });
  if (!isYes) return;
  const done = await installAgents(wanted, root, { files, unique: randomUUID });
  const failed = done.filter(({ kind }) => kind === "foreign" || kind === "failed");
  if (failed.length > 0) await ports.showFailure(failed.map(({ detail }) => inWords(detail)).join("; "));
  const installed = wanted.filter(({ name }) =>
    done.some((each) => each.name === name && each.kind === "installed"),
  );
  if (installed.length > 0) await offerUndo(installed, root, ports);
}

function whyNot({ name, kind }: PlannedAgent, t: Translate): string | null {
  switch (kind) {
    case "new":
      return null;
    case "same":
      return t("{0} is there already.", name);
    case "foreign":
      return t("A file of your own is called {0}: it stays as it is.", `${name}.md`);
    case "failed":
      return t("{0} cannot be read.", `${name}.md`);
  }
}

async function offerUndo(
  installed: readonly InstallableAgent[],
  root: string,
  ports: AgentsPorts,
): Promise<void> {
  const { t } = ports;
  const undo = t("Undo");
  const message =
    installed.length === 1 ? t("One agent installed.") : t("{0} agents installed.", installed.length);
  if ((await ports.inform(message, undo)) === undo) await takeBack(installed, root, ports);
}

/** Removes the agents without later changes, and names the others. */
async function takeBack(
  installed: readonly InstallableAgent[],
  root: string,
  { files, t, inform }: AgentsPorts,
): Promise<void> {
  const kept = await removeAgents(installed, root, files);
  await inform(
    kept.length === 0
      ? t("They are gone again.")
      : inMessage(
          t("Changed since, so it stays: {0}", kept.map((file) => shortPath(file)).join(", ")),
          maxQuestionLength,
        ),
  );
}
