import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sampleProject } from "./sample-project.ts";
import { stopService } from "./stop-service.ts";

/** A test's own folders: nothing of the user's is read or written. */
export interface Scratch {
  readonly root: string;
  /** The small project that VS Code opens. */
  readonly workspace: string;
  readonly home: string;
  /** Folder in which the extension finds Claude Code's transcripts. */
  readonly claude: string;
  /** Environment variables for an editor or an agent. */
  readonly env: NodeJS.ProcessEnv;
  /** Stops the service started for it, if any, and removes everything. */
  remove(): Promise<void>;
}

/** Creates an empty home, a folder for transcripts, and a workspace with the sample project. */
export async function makeScratch(name = "harbor"): Promise<Scratch> {
  // The real path, because a transcript's path is compared with the one VS Code opens.
  const root = await realpath(await mkdtemp(join(tmpdir(), "purser-host-")));
  const workspace = join(root, name);
  const home = join(root, "home");
  const claude = join(root, "claude");
  for (const [path, text] of Object.entries(sampleProject)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  await mkdir(home);
  await mkdir(join(claude, "projects"), { recursive: true });
  return {
    root,
    workspace,
    home,
    claude,
    env: {
      HOME: home,
      USERPROFILE: home,
      CLAUDE_CONFIG_DIR: claude,
      PURSER_HOME: join(home, ".purser"),
      // If a test is killed, the service it started still ends by itself.
      PURSER_IDLE_MINUTES: "2",
    },
    remove: async () => {
      await stopService(join(home, ".purser"));
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The folder in which Claude Code stores the transcripts of a working directory. */
export function projectFolder(claude: string, workspace: string): string {
  return join(claude, "projects", workspace.replace(/[^a-zA-Z0-9]/gu, "-"));
}
