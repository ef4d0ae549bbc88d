import { withoutElements, cleanText } from "../../base/text.ts";

/** Additions of agents and editors to a prompt: reminders, open files, results of commands that ran in the agent itself. */
const added =
  /<(system-reminder|system_reminder|ide_\w{1,40}|environment_context|user_instructions|current_datetime|reminder|editor-context|attachments)\b[^<>]{0,200}>/gu;
/** Texts under a person's name that no person wrote. */
const written =
  /^\s*(?:<(?:command-name|command-message|local-command-stdout|local-command-stderr|local-command-caveat|bash-stdout|bash-stderr|task-notification|turn_aborted|hook_context)\b|\[Request interrupted by user|Caveat: The messages below|Stop hook feedback:|This session is being continued from a previous conversation)/u;
/** More of a prompt is text that was pasted. Characters. */
const maxLength = 20_000;

/** Returns the words of a prompt as a person entered them, with line breaks. Null if no person did. */
export function askedText(text: string): string | null {
  if (written.test(text)) return null;
  const own = withoutElements(text.slice(0, maxLength), added).trim();
  return own === "" ? null : own;
}

/** Returns the beginning of a text as one line, cut at a word. @param length characters */
export function firstWords(text: string, length: number): string {
  const line = cleanText(text.slice(0, 8 * length));
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  const at = cut.lastIndexOf(" ");
  return `${at > length / 2 ? cut.slice(0, at) : cut}…`;
}
