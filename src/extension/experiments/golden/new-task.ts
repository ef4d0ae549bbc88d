import { sentence, t } from "../../../engine/base/language.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { draftFromSession, writeDraft } from "../../../engine/bench/golden.ts";
import { agentName } from "../../../engine/bench/frontmatter.ts";
import { workspaceSuiteFolder, manifestName } from "../../../engine/bench/suite.ts";
import type { SessionSnapshot } from "../../../engine/sessions/snapshot.ts";
import type { SuiteOffer } from "../../../engine/jobs/bench-answers.ts";
import { saidInMessage, withoutIcons } from "../../editor/outside-text.ts";
import { pickStep } from "../../editor/pick.ts";
import { inform, warn } from "../../editor/notices.ts";
const maxLength = 300;

export interface NewTaskInput {
  readonly session: Pick<SessionSnapshot, "transcript">;
  /** A trusted folder: its golden tasks contain programs. */
  readonly workspace: string;
  readonly suites: readonly SuiteOffer[];
  /** Folders with agent definitions, best first. */
  readonly agentFolders: readonly string[];
}

/** Drafts a golden task from a session's prompt and changes, and opens it for a person to finish. */
export async function newGoldenTask(input: NewTaskInput): Promise<void> {
  const { session, workspace, suites, agentFolders } = input;
  const draft = await draftFromSession(session.transcript);
  if (!draft.ok) {
    await warn(t("No golden task can be made of this session: {0}.", saidInMessage(draft.detail, maxLength)));
    return;
  }
  const agent = await pickAgent(suites);
  if (agent === undefined) return;
  const folder = workspaceSuiteFolder(workspace);
  const isFrozen = existsSync(path.join(folder, manifestName));
  const freeze = sentence(
    "freeze the project as it was before the session: purser golden freeze --commit COMMIT",
  );
  const written = await writeDraft(draft.value, {
    workspace,
    folder,
    agent,
    agents: agentFolders,
    first: isFrozen ? [] : [freeze],
  });
  if (!written.ok) {
    await vscode.window.showErrorMessage(saidInMessage(written.detail, maxLength));
    return;
  }
  const [first] = written.value.files;
  if (first !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(first));
  await inform(
    t(
      "Draft golden task created for {0}. It is not used until you finish it: its file lists what remains.",
      agent,
    ),
  );
}

interface AgentItem extends vscode.QuickPickItem {
  readonly name: string;
}

/** Asks for an agent with golden tasks, or the name of a new one. */
async function pickAgent(suites: readonly SuiteOffer[]): Promise<string | undefined> {
  const names = [...new Set(suites.flatMap(({ agents }) => agents.map(({ name }) => name)))];
  const item = (name: string): AgentItem => ({ label: withoutIcons(name, 100), name, alwaysShow: true });
  const stepped = await pickStep<AgentItem>({
    title: t("New Golden Task"),
    canGoBack: false,
    placeholder: t("Which agent is the task for? Choose one or type a name."),
    items: names.map(item),
    typed: (text) => (names.includes(text) || !agentName.safeParse(text).success ? undefined : item(text)),
  });
  return stepped.kind === "chosen" ? stepped.items[0]?.name : undefined;
}
