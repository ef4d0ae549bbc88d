import type { Argument } from "../invocation.ts";

/** Words with which programs print a login's token or a stored password. */
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
/** Names of variables that hold a secret, as sources have them. */
const secretVariable =
  /^\$(?:\w+_)?(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|CREDENTIALS)$/iu;
const echoing = new Set(["echo", "printf"]);
/** Of longer commands the rest is not looked at. Characters. */
const maxLength = 300;

/** Returns what the output of a command is known by where it is a secret that a program keeps. */
export function secretSources(program: string, args: readonly Argument[]): readonly string[] {
  const pattern = Object.hasOwn(printing, program) ? printing[program] : undefined;
  // Without words these print every variable; with them they only set something.
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
