import * as vscode from "vscode";
import { benchEnvironment } from "../../engine/jobs/environment.ts";
import { readEnvironment } from "../editor/settings.ts";
import { trustedFolder } from "../editor/trusted-folder.ts";

/** What benches are asked with besides their form: of the window, as it is at the moment. */
export interface BenchWindow {
  /** The folder whose suite may be used and whose budgets hold; null in one that is not trusted. */
  readonly workspace: () => string | null;
  /** Whether a suite of the workspace's own is looked for too: only in a trusted one. */
  readonly isTrusted: () => boolean;
  /** What agents need of the window's environment. */
  readonly env: () => Record<string, string>;
}

export const benchWindow: BenchWindow = {
  workspace: trustedFolder,
  isTrusted: () => vscode.workspace.isTrusted,
  env: () => benchEnvironment(readEnvironment()),
};
