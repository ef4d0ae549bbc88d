/**
 * Tests whether Claude Code itself wrote a prompt: it wakes the agent with one when a background subagent, workflow or
 * command has ended. Seen with 2.1.332, in transcripts and in the prompt hook.
 */
export function isTaskNotification(prompt: string): boolean {
  return prompt.startsWith("<task-notification>");
}

/** Tests the same in a transcript, where newer versions name a prompt's origin. @param origin the row's `turnOrigin` */
export function isNotified(origin: string | null | undefined, prompt: string): boolean {
  return typeof origin === "string" ? origin === "task_notification" : isTaskNotification(prompt);
}
