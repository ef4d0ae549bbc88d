/**
 * The lines that must survive, by rules of their own: what tells an error, what warns, the name of a failing test, its difference
 * and place, and the summary of the run.
 */
const telling: readonly RegExp[] = [
  // Errors and warnings, where the line says so itself.
  /^(?:.{0,300}[:\s\]-] ?)?(?:error|fatal error|fatal|warning)(?:\[\w+\])?(?: TS\d+)?: /iu,
  /^\[(?:ERROR|WARNING)\] \S/u,
  /^npm (?:warn|error|ERR!) /u,
  /^ +\d+:\d+ +(?:error|warning) /u,
  /\b(?:ERROR|WARN|FATAL) /u,
  /^(?:Caused by: )?[\w.]*(?:Error|Exception)\b/u,
  /^Traceback \(most recent call last\):$/u,
  /\bcode [45]\d\d, message /u,
  /"state": "error/u,
  /^make: \*\*\* /u,
  /^thread '.*' .*panicked at /u,
  // Failing tests.
  /^\s*(?:✖|×|✕|●) \S/u,
  /^ *FAIL\b/u,
  /^\s*--- FAIL: /u,
  /^ *not ok \d/u,
  /^ +\d+\) \S/u,
  /\bFAILED\b/u,
  /"Action":"fail"/u,
  /<<< (?:FAILURE|ERROR)!/u,
  // Differences.
  /^E {3}/u,
  /^>? +(?:assert|expect)\b/u,
  /^ +(?:Expected|Received|expected|actual|left|right): /u,
  /^ *[+-] (?:Expected|Received|expected|actual)/u,
  /^ *[-+]\d+$/u,
  /^ +\d+ !== \d+$/u,
  // Places.
  /^ +--> \S+:\d+:\d+$/u,
  /^ ❯ \S*.*:\d+:\d+$/u,
  /^\S+\.py:\d+: /u,
  /^\s+\w+_test\.go:\d+: .*(?:want|got)/u,
  /^\s+at (?:.* \()?(?:file:\/\/)?\/home\/dev\/harbor\/(?!node_modules\/).*:\d+:\d+\)?$/u,
  /^\s+at (?:dev\.harbor\.\w+|Load)\.\w+\(\w+\.java:\d+\)$/u,
  /^ {2}File "\/home\/dev\/harbor\/[^"]+", line \d+/u,
  // Summaries.
  /^(?: *Test Files| +Tests|Tests:|Test Suites:) +\d/u,
  /^ +\d+ (?:passing|failing)\b/u,
  /^(?:ℹ|#) (?:tests|pass|fail) \d/u,
  /^test result: /u,
  /^=+ .*\d+ (?:passed|failed).* =+$/u,
  /^\[(?:INFO|ERROR)\] (?:BUILD |Tests run: [\d, :A-Za-z]*$)/u,
  /^(?:added|removed|changed) \d+ packages/u,
  /^Successfully installed /u,
  /^\d+ upgraded, \d+ newly installed/u,
  /^ \d+ files? changed/u,
  /^Found \d+ errors?/u,
  /^✖ \d+ problems/u,
  /^webpack \S+ compiled /u,
  /^✓ (?:built in|\d+ modules transformed)/u,
  /^\d+ (?:errors?|warnings?) generated/u,
];

/** Lines whose own form says that all is well, whatever words the name of a test or a package has. */
const fine: readonly RegExp[] = [
  /^\s*[✓✔√] {1,2}(?!built|\d+ modules)\S/u,
  /^ *ok \d+ - /u,
  /^ *# Subtest: /u,
  /^=== (?:RUN|PAUSE|CONT) /u,
  /^test .* \.\.\. ok$/u,
  / PASSED +\[ *\d+%\]$/u,
  /^\{.*"Action":"(?:run|pass|start|output)"/u,
  /^npm http (?:fetch GET 200|cache) /u,
  /: note: /u,
];

export function mustSurvive(line: string): boolean {
  return telling.some((pattern) => pattern.test(line)) && !fine.some((pattern) => pattern.test(line));
}
