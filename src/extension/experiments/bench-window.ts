import * as vscode from "vscode";
import { benchEnvironment } from "../service/job-environment.ts";
import { readEnvironment } from "../editor/settings.ts";
import type { Services } from "../services.ts";
import { trustedFolder } from "../editor/window-files.ts";

/** Inputs of a bench besides its form, read from the window when needed. */
export interface BenchWindow {
  /** The folder with the suite that may be used and the budgets that apply; null in an untrusted window. */
  readonly workspace: () => string | null;
  /** Whether to look for the workspace's own suite too: only in a trusted one. */
  readonly isTrusted: () => boolean;
  /** Environment variables that agents need. */
  readonly env: () => Record<string, string>;
  /** Called for each job that this window started or resumed: the window follows it to its end. */
  readonly began: (id: string) => void;
}

/** Follows a job in a notification. Features in other bundles run it as a command. */
export const followCommand = "purser.followJob";

export const benchWindow: BenchWindow = {
  workspace: trustedFolder,
  isTrusted: () => vscode.workspace.isTrusted,
  env: () => benchEnvironment(readEnvironment()),
  began: (id) => void vscode.commands.executeCommand(followCommand, id),
};

/** The sample's requests contain nothing of the window. */
const sampleWindow: BenchWindow = {
  workspace: () => null,
  isTrusted: () => true,
  env: () => ({}),
  began: () => undefined,
};

export function windowOf({ sample }: Pick<Services, "sample">): BenchWindow {
  return sample === undefined ? benchWindow : sampleWindow;
}
