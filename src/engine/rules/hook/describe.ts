/** Returns the user's line about the number of waiting rules. */
export function describeNudge(waiting: number): string {
  const what = waiting === 1 ? "1 rule for your agents waits" : `${waiting} rules for your agents wait`;
  return `Context Purser: ${what} for you: Review Rules in VS Code, or purser rules list in a terminal.`;
}
