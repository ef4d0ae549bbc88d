import path from "node:path";
import { isCloudInUse, isOfCloudInUse, isSet } from "../cloud-access.ts";
import type { RunPlaces } from "../driver.ts";
import { agentEnvironment } from "../kept-environment.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Who the user is to Claude Code, and how its API is reached. Nothing that changes how it works on a task, and no cloud's keys. */
const claudeNames =
  /^(?:ANTHROPIC_(?:API_KEY|AUTH_TOKEN|BASE_URL|CUSTOM_HEADERS)|CLAUDE_CODE_OAUTH_TOKEN|CLAUDE_CODE_CLIENT_\w+|CLAUDE_CODE_MAX_RETRIES)$/u;

/** One of these is enough; without it the user's own login is. */
const credentials = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/**
 * Claude Code's environment in a run. Its configuration is a folder of the run's own, so that the user's settings, memories, instructions
 * and transcripts are neither read nor written. Who has a key or a token in the environment is known by it; who has logged in is known by
 * that login, which stays where it is: `CLAUDE_SECURESTORAGE_CONFIG_DIR` names its place, and Claude Code itself reads and renews it
 * there, as ever. (Seen with 2.1.197 and 2.1.330.)
 */
export function claudeEnvironment({
  env,
  userHome,
  places,
  mark,
  platform,
}: {
  readonly env: Env;
  /** The user's home folder. */
  readonly userHome: string;
  readonly places: RunPlaces;
  readonly mark: string;
  readonly platform: NodeJS.Platform;
}): Record<string, string> {
  const hasKey = isCloudInUse(env) || credentials.some((name) => (env[name] ?? "") !== "");
  return {
    // Some half a minute: what does not answer by then is known to be away, and the bench may pause. The user's own figure comes first.
    CLAUDE_CODE_MAX_RETRIES: "5",
    ...agentEnvironment(env, places, mark, (name) => claudeNames.test(name) || isOfCloudInUse(env, name)),
    CLAUDE_CONFIG_DIR: places.config,
    CLAUDE_CODE_TMPDIR: places.temporary,
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...(hasKey ? cloudFiles(env, userHome) : loginOf(env, userHome, platform)),
  };
}

/** Empty names the usual place by its own rules: on macOS the keychain's entry, which is found by the user's home. */
function loginOf(env: Env, userHome: string, platform: NodeJS.Platform): Record<string, string> {
  const configured = env["CLAUDE_CONFIG_DIR"] ?? "";
  if (platform === "darwin") return { CLAUDE_SECURESTORAGE_CONFIG_DIR: configured, HOME: userHome };
  return {
    CLAUDE_SECURESTORAGE_CONFIG_DIR: configured === "" ? path.join(userHome, ".claude") : configured,
  };
}

/** A cloud's own tools look in the home folder for who the user is; that of a run is empty. */
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
