/**
 * Whether a prompt is no person's: Claude Code wakes the agent with such a one when a subagent or a command that worked in the background
 * has ended. Seen with 2.1.330, in transcripts (`turnOrigin: "task_notification"`) and in the hook of the prompt.
 */
export function isHandedBack(prompt: string): boolean {
  return prompt.startsWith("<task-notification>");
}
