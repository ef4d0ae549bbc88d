/**
 * Whether a prompt was written by Claude Code and not by a person: it wakes the agent with one when a background subagent
 * or command has ended. Seen with 2.1.330, in transcripts (`turnOrigin: "task_notification"`) and in the prompt hook.
 */
export function isTaskNotification(prompt: string): boolean {
  return prompt.startsWith("<task-notification>");
}
