/** Maximum length read, from the end of an output: checks report their result there. Characters. */
const looked = 3000;

/** Words at the end of outputs of checks that failed, for lines such as `npm test | tail`, of which only the last program's exit code is known. */
const failures: readonly RegExp[] = [
  /\b[1-9]\d{0,5} (?:tests? |specs? |examples? |suites? )?(?:failed|failing|failures?|errors?)\b/iu,
  /^# fail [1-9]/mu,
  /^ℹ fail [1-9]/mu,
  /^[ \t]*(?:FAIL|FAILED|--- FAIL|not ok)\b/mu,
  /\bFAILED\b|\bBUILD FAILURE\b/u,
  /\berror (?:TS\d+|CS\d+|C\d+):/u,
  /^error(?:\[E\d+\])?:/mu,
  /^npm (?:ERR!|error)/mu,
  /\b(?:ELIFECYCLE|Command failed)\b/u,
  /^make: \*\*\*/mu,
  /^Traceback \(most recent call last\)/mu,
  /command not found$/mu,
];

/** Tests whether the output of a check without an error reports a failure. */
export function reportsFailure(response: unknown): boolean {
  const end = textIn(response).slice(-looked);
  return failures.some((pattern) => pattern.test(end));
}

/** Returns the text of a tool's response, as agents report it: a text, or Claude Code's object. */
function textIn(response: unknown): string {
  if (typeof response === "string") return response;
  if (typeof response !== "object" || response === null) return "";
  return ["stdout", "stderr"]
    .map((name): unknown => Reflect.get(response, name))
    .filter((text) => typeof text === "string")
    .join("\n");
}
