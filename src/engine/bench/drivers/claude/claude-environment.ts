import path from "node:path";
import { agentEnvironment } from "../run-environment.ts";
import { isCloudInUse, isOfCloudInUse, isSet } from "../cloud-access.ts";
import type { RunFolders } from "../driver.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Variables that identify the user to Claude Code and locate its API. Excludes those that change its work on
 * a task, and cloud keys.
 */
const claudeNames =
  /^(?:ANTHROPIC_(?:API_KEY|AUTH_TOKEN|BASE_URL|CUSTOM_HEADERS)|CLAUDE_CODE_OAUTH_TOKEN|CLAUDE_CODE_CLIENT_\w+|CLAUDE_CODE_MAX_RETRIES)$/u;

/** One of these is enough; without any, the user's own login is used. */
const credentials = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/**
 * Returns Claude Code's environment for a run. Its configuration is in the run's own folder, so that the user's settings, memories,
 * instructions and transcripts are neither read nor written. A key or token in the environment is passed on. Otherwise the user's login
 * stays where it is: `CLAUDE_SECURESTORAGE_CONFIG_DIR` points to it, and Claude Code itself reads and renews it there as usual. (Seen with
 * 2.1.197 and 2.1.330.)
 */
export function claudeEnvironment({
  env,
  userHome,
  folders,
  mark,
  platform,
}: {
  readonly env: Env;
  /** The user's home folder. */
  readonly userHome: string;
  readonly folders: RunFolders;
  readonly mark: string;
  readonly platform: NodeJS.Platform;
}): Record<string, string> {
  const hasKey = isCloudInUse(env) || credentials.some((name) => (env[name] ?? "") !== "");
  return {
    // Retries for about half a minute: after that the API counts as unreachable, and the bench may pause. The user's own value wins.
    CLAUDE_CODE_MAX_RETRIES: "5",
    ...agentEnvironment(env, folders, mark, (name) => claudeNames.test(name) || isOfCloudInUse(env, name)),
    CLAUDE_CONFIG_DIR: folders.config,
    CLAUDE_CODE_TMPDIR: folders.temporary,
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...(hasKey ? cloudFiles(env, userHome) : loginOf(env, userHome, platform)),
  };
}

/**
 * Points to the user's login. An empty value selects the default location: on macOS the keychain's entry, which is found by the user's
 * home.
 */
function loginOf(env: Env, userHome: string, platform: NodeJS.Platform): Record<string, string> {
  const configured = env["CLAUDE_CONFIG_DIR"] ?? "";
  if (platform === "darwin") return { CLAUDE_SECURESTORAGE_CONFIG_DIR: configured, HOME: userHome };
  return {
    CLAUDE_SECURESTORAGE_CONFIG_DIR: configured === "" ? path.join(userHome, ".claude") : configured,
  };
}

/** Points a cloud's own tools to the user's credentials, which they look for in the home folder; a run's home is empty. */
function cloudFiles(env: Env, userHome: string): Record<string, string> {
  const files = {
    CLAUDE_CODE_USE_BEDROCK: {
      AWS_CONFIG_FILE: path.join(userHome, ".aws", "config"),
      AWS_SHARED_CREDENTIALS_FILE: path.join(userHome, ".aws", "credentials"),
    },
    CLAUDE_CODE_USE_VERTEX: { CLOUDSDK_CONFIG: path.join(userHome, ".config", "gcloud") },
  };
  const wanted = Object.entries(files).flatMap(([name, usual]) =>
    !isSet(env[name]) ? [] : Object.entries(usual).filter(([file]) => (env[file] ?? "") === ""),
  );
  return Object.fromEntries(wanted);
}
