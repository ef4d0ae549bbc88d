import type { RunPlaces } from "./driver.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What programs need to be found and to run, and to reach the network through a proxy. */
const common =
  /^(?:PATH|PATHEXT|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PROGRAMDATA|PROGRAMFILES|LANG|LC_ALL|LC_CTYPE|SHELL|USER|LOGNAME|USERNAME|HTTPS?_PROXY|NO_PROXY|ALL_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/iu;

/** The name by which the processes of a run are found, were they to leave the agent's own group. */
export const markName = "PURSER_BENCH_RUN";

/**
 * The environment a run's agent begins with: of the user's only what is named here, and a home and a temporary folder of the run's own.
 *
 * @param isAlsoKept of a name the agent itself needs: who its user is
 */
export function agentEnvironment(
  env: Env,
  { home, temporary }: RunPlaces,
  mark: string,
  isAlsoKept: (name: string) => boolean,
) {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (common.test(name) || isAlsoKept(name)) ? [[name, value] as const] : [],
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    NO_COLOR: "1",
    CI: "1",
    [markName]: mark,
  };
}
