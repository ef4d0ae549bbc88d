/** A Markdown link's target that runs a command on a session. */
export function commandLink(command: string, id: string): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify([id]))}`;
}
