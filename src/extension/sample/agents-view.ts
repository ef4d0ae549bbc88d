import { purserPaths } from "../../engine/base/disk/home.ts";
import { overviewPorts, readOverviews } from "../../engine/recurring/wake/agent-overview.ts";
import * as vscode from "vscode";
import { RecurringFeed } from "../economy/agents/economy-agents-feed.ts";
import { sessionOfNode } from "../economy/agents/economy-agents-tree.ts";
import { registerRecurringView } from "../economy/agents/economy-agents-view.ts";
import type { SampleHomes } from "./unpack.ts";

const { t } = vscode.l10n;

/**
 * The sample's recurring agents, in a separate view: they are never among the user's, and nothing wakes them.
 */
export function registerSampleAgents({ env, root, workspace }: SampleHomes): vscode.Disposable {
  const { wakes } = purserPaths({ env, home: root });
  const ports = overviewPorts(wakes, { now: Date.now, pid: process.pid });
  const feed = new RecurringFeed({
    projects: () => [workspace],
    // The sample's agents are never late.
    read: async (project) =>
      (await readOverviews(project, ports)).map((each) => ({ ...each, dueSince: null })),
    onProblem: () => undefined,
  });
  const view = registerRecurringView({
    feed,
    options: () => ({
      t,
      now: Date.now(),
      // As they would be with wakes by schedule on.
      wokenBy: ({ agent }) => ({ waker: agent?.schedule === undefined ? "person" : "service", why: null }),
      jobOf: () => undefined,
    }),
    onChange: () => new vscode.Disposable(() => undefined),
    as: {
      id: "purser.sampleAgents",
      message: t("Sample data. Nothing here is yours, and nothing is woken."),
      commandOf: (node) => {
        const session = sessionOfNode(node);
        const isOwn = node.kind === "recurring-session" || node.kind === "recurring-wake";
        return session === null || !isOwn
          ? undefined
          : { command: "purser.openSample", title: t("Open in Ledger"), arguments: [session] };
      },
    },
  });
  return vscode.Disposable.from(feed, view);
}
