import { isOfCloudInUse } from "../../engine/bench/drivers.ts";
import { pick } from "../../engine/sessions/agent-environment.ts";

/**
 * Variables for the user's identity at an agent, its API and the program search. Of clouds, only the one in
 * use is included.
 */
const wanted =
  /^(?:PATH|PATHEXT|SHELL|LANG|LC_ALL|LC_CTYPE|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|ANTHROPIC_(?!BEDROCK_|VERTEX_|FOUNDRY_)[A-Z_]+|CLAUDE_CODE_[A-Z_]+|CLAUDE_CONFIG_DIR|OPENAI_[A-Z_]+|AZURE_OPENAI_[A-Z_]+|CODEX_[A-Z_]+)$/iu;
/** A longer value is neither a key nor an address. Characters. */
const maxValueLength = 8000;
const maxNameLength = 200;

/** Variables of an editor's own processes, which would mislead agents. */
const editors = /^(?:VSCODE_|ELECTRON_|CHROME_|PURSER_HOLD_OPEN)/iu;

/** The agent needs everything that a terminal has. Sent and held like a bench's. */
export function wakeEnvironmentOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined ||
      value.length > maxValueLength ||
      name.length > maxNameLength ||
      editors.test(name)
        ? []
        : [[name, value] as const],
    ),
  );
}

/**
 * Its agents need keys that a service does not have. It crosses the user's own socket after the token, is held in memory while the bench waits or
 * runs, and is never written.
 */
export function benchEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const fits = Object.entries(env).filter(([, value]) => (value ?? "").length <= maxValueLength);
  return pick(Object.fromEntries(fits), (name) => wanted.test(name) || isOfCloudInUse(env, name));
}
