import { ownValue } from "../../own-value.ts";
import type { Argument } from "../invocation.ts";

const engines = new Set(["docker", "podman", "nerdctl"]);
/** Options of `pgrep` for a user or group, which take the next word. */
const byUser = new Set(["-u", "-U", "-G", "--euid", "--uid", "--group"]);

/** Returns the label of an output that lists all containers of the machine, or all processes of a user. */
export function listedWhole(program: string, args: readonly Argument[]): readonly string[] {
  if (engines.has(program)) return listsContainers(args) ? ["all-containers"] : [];
  if (program !== "pgrep") return [];
  const named = args.filter(({ text }, at) => !text.startsWith("-") && !byUser.has(args[at - 1]?.text ?? ""));
  return args.some(({ text }) => byUser.has(text)) && named.length === 0 ? ["all-processes"] : [];
}

/** Tests whether a command lists containers without a filter. */
function listsContainers(args: readonly Argument[]): boolean {
  const [first, second] = args.filter(({ text }) => !text.startsWith("-"));
  const isList =
    first?.text === "ps" || (first?.text === "container" && /^(?:ls|ps|list)$/u.test(second?.text ?? ""));
  const isNarrowed = args.some(({ text }) => /^(?:--filter|--last|--latest|-[aqns]*[fln]$)/u.test(text));
  return isList && !isNarrowed;
}

/** Commands that print a login's token or a stored password. */
const printing: Readonly<Record<string, RegExp>> = {
  gh: /^auth (?:token|status .*(?:-t|--show-token))\b/u,
  glab: /^auth (?:token|status .*(?:-t|--show-token))\b/u,
  gcloud: /^auth (?:application-default )?print-(?:access|identity)-token\b/u,
  az: /^account get-access-token\b/u,
  aws: /^(?:configure (?:get (?:aws_)?(?:secret|session)|export-credentials)|secretsmanager get-secret-value|ssm get-parameter|sts get-session-token)/u,
  heroku: /^auth:token\b/u,
  doctl: /^auth token\b/u,
  fly: /^(?:auth token|tokens create)\b/u,
  flyctl: /^(?:auth token|tokens create)\b/u,
  oc: /^whoami .*(?:-t|--show-token)/u,
  npm: /^(?:config )?get .*(?:_authToken|_auth|_password)/u,
  pass: /^(?:show )?(?!ls|list|find|git|insert|generate|-)\S/u,
  gopass: /^show\b/u,
  op: /^(?:read|item get|document get)\b/u,
  bw: /^(?:get (?:password|item|totp)|export|list items)\b/u,
  lpass: /^(?:show|export)\b/u,
  security: /^(?:find-(?:generic|internet)-password|dump-keychain|export)\b/u,
  "secret-tool": /^(?:lookup|search)\b/u,
  keyring: /^get\b/u,
  git: /^credential(?:-\S+)? (?:fill|get)\b/u,
  vault: /^(?:kv get|read|print token|token create)\b/u,
  gpg: /--export-secret/u,
  kubectl: /^(?:create token|config view .*--raw|get secrets? .*-o)/u,
  doppler: /^secrets (?:get|download)\b/u,
};
const printingAll = new Set(["set", "typeset"]);
/** Names of variables with a secret, as sources. */
const secretVariable =
  /^\$(?:\w+_)?(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|CREDENTIALS)$/iu;
const echoing = new Set(["echo", "printf"]);
/** Maximum part of a command that is read. Characters. */
const maxLength = 300;

/** Returns the labels of an output that is a stored secret. */
export function secretSources(program: string, args: readonly Argument[]): readonly string[] {
  const pattern = ownValue(printing, program);
  // Without words these print every variable.
  if (printingAll.has(program) && args.length === 0) return ["all-variables"];
  if (echoing.has(program))
    return args.some(({ from }) => from.some((source) => secretVariable.test(source)))
      ? ["secret-variable"]
      : [];
  if (pattern === undefined) return [];
  const text = args
    .slice(0, 10)
    .map((arg) => arg.text)
    .join(" ")
    .slice(0, maxLength);
  if (!pattern.test(text)) return [];
  return ["stored-secret", `token-of-${program}`];
}
