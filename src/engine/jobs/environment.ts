import { isOfCloudInUse } from "../bench/drivers/cloud-access.ts";
import { pick } from "../context/agent-environment.ts";

/** Who the user is to an agent, how its API is reached, and what programs are found by. Of clouds only the one that is used is told. */
const wanted =
  /^(?:PATH|PATHEXT|SHELL|LANG|LC_ALL|LC_CTYPE|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|ANTHROPIC_(?!BEDROCK_|VERTEX_|FOUNDRY_)[A-Z_]+|CLAUDE_CODE_[A-Z_]+|CLAUDE_CONFIG_DIR|OPENAI_[A-Z_]+|AZURE_OPENAI_[A-Z_]+|CODEX_[A-Z_]+)$/iu;
/** More is no key and no address. Characters. */
const longest = 8000;

/**
 * What a client tells the service for a bench, whose agents need the keys that a service does not have. It goes over the
 * user's own socket after the token, is held in memory while the bench waits or runs, and written nowhere.
 */
export function benchEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const fits = Object.entries(env).filter(([, value]) => (value ?? "").length <= longest);
  return pick(Object.fromEntries(fits), (name) => wanted.test(name) || isOfCloudInUse(env, name));
}
