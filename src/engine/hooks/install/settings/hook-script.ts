import { callerVariables, eventsWithShim, forwardedVariables, judgedBefore } from "../../program.ts";
import { posix, type Shim } from "./install-settings-entry.ts";
import { maxSocketPath, type PurserPaths } from "../../../base/paths.ts";

/** Seconds that the service has for an answer. Agents give `SessionEnd` one or two, and others five: the shim must fit in after it. */
const limits = { usual: "3", end: "0.6" };

/**
 * The script of command hooks, in purser's own folder, as `sh hook.sh --purser-hook=AGENT:EVENT`. Agents' settings keep naming it while updates
 * replace its text. It passes the agent's input to the service with curl, which is four times cheaper than Node. The shim follows where nothing
 * answers.
 *
 * `-T-` with `Expect` makes curl read the input only once the service has accepted the request, so the shim still gets all of it. `-q` and
 * `--noproxy` keep the user's own curl settings out.
 */
export function hookScript(
  { path, runtime }: Shim,
  home: Pick<PurserPaths, "folder" | "hookSocket" | "settings" | "windowSettings">,
): string {
  const headers = Object.entries({ ...forwardedVariables, ...callerVariables }).map(
    ([header, variable]) => `-H "${header}: $${variable}"`,
  );
  const socket = posix(home.hookSocket);
  const viaCurl = `*)
  if [ "\${PURSER_HOME:-$home}" = "$home" ] && [ -S ${socket} ] && [ -O ${socket} ]; then
    curl -qsfT- -m "$limit" --expect100-timeout 9 --noproxy '*' --unix-socket ${socket} \\
      ${headers.join(" \\\n      ")} \\
      "http://purser/hook/\${hook%%:*}" && exit 0
    [ $? -ne 28 ] || set -- "$@" --late
  fi
  ;;
`;
  return `# Written by Context Purser, whose hooks run it: sh hook.sh --purser-hook=AGENT:EVENT
# "purser hooks uninstall" removes it.
home=${posix(home.folder)}
program=${posix(path)}
hook=\${1#--purser-hook=}
limit=${limits.usual}
case $hook in *:SessionEnd) limit=${limits.end} ;; esac

# The service answers at its socket, which must be this user's.
case $hook in
${eventsWithShim.map((event) => `*:${event}`).join(" | ")}) ;;
${Buffer.byteLength(home.hookSocket) > maxSocketPath ? "" : viaCurl}esac

# Without an answer the program starts the service. It judges the call alone if it must.
if [ -r "$program" ] && command -v ${runtime} >/dev/null 2>&1; then
  ${runtime} "$program" "$@" --script && exit 0
else
  cat >/dev/null
fi

# Nothing has judged the call: it runs, unless the user requires that it is judged.
case $hook in
${judgedBefore.map((event) => `*:${event}`).join(" | ")})
  for settings in ${posix(home.settings)} ${posix(home.windowSettings)}; do
    [ -e "$settings" ] || continue
    # Settings that cannot be read may require it too.
    text=$(cat "$settings" 2>/dev/null) || text='"required"'
    case $text in
    *'"required"'*)
      echo "Context Purser could not judge this call, and a guard is required ($settings). Find out why: purser doctor" >&2
      exit 2
      ;;
    esac
  done
  ;;
esac
exit 0
`;
}

/** Returns the shim that a script leads to. Null for another text. */
export function shimInScript(text: string): string | null {
  const quoted = /^program=(?<quoted>'(?:[^']|'\\'')*')$/mu.exec(text)?.groups?.["quoted"];
  return quoted === undefined ? null : quoted.slice(1, -1).replaceAll(String.raw`'\''`, "'");
}
