import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sampleProject } from "./sample-project.ts";
import { stopService } from "./stop-service.ts";

/** Folders of a test's own: nothing of the user is read or written. */
export interface Scratch {
  readonly root: string;
  /** What VS Code opens: a small project. */
  readonly workspace: string;
  readonly home: string;
  /** Where the extension looks for Claude Code's transcripts. */
  readonly claude: string;
  /** For the environment of an editor or an agent. */
  readonly env: NodeJS.ProcessEnv;
  /** Ends the service that was begun for it, if one was, and removes everything. */
  remove(): Promise<void>;
}

/** Makes a home without anything in it, a folder for transcripts, and a workspace with the sample project. */
export async function makeScratch(name = "harbor"): Promise<Scratch> {
  // The real path, as the one in a transcript is compared with the one VS Code opens.
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
      // Should a test be killed, the service it caused ends by itself all the same.
      PURSER_IDLE_MINUTES: "2",
    },
    remove: async () => {
      await stopService(join(home, ".purser"));
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The folder in which Claude Code keeps the transcripts of a working directory. */
export function projectFolder(claude: string, workspace: string): string {
  return join(claude, "projects", workspace.replace(/[^a-zA-Z0-9]/gu, "-"));
}
