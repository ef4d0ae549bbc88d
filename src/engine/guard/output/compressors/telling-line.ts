/**
 * Words of lines that tell of an error, a warning or a failed test. A line that is left out only because of its place, such as an
 * excerpt, is kept where it has one of them.
 */
const telling =
  /error|fail|fatal|panic|exception|warn|assert|expected|received|actual|denied|refused|rejected|cannot|could ?n.t|could not|unable|not found|no such|missing|invalid|unresolved|undefined|unexpected|killed|timed? ?out|abort|traceback|fault|vulnerab|conflict|deprecat|critical|unmet|err!|not ok|[✗✖×✕●❌]/iu;

export function isTelling(line: string): boolean {
  return telling.test(line);
}
