/** The part of a reply to a request for a summary that goes into the context: agents think before it, in a block that they throw away. */
export function summaryIn(reply: string): string {
  const withoutThoughts = reply.replace(/<analysis>[\s\S]*?<\/analysis>/u, "");
  const begun = withoutThoughts.indexOf("<summary>");
  if (begun < 0) return withoutThoughts;
  const end = withoutThoughts.lastIndexOf("</summary>");
  return withoutThoughts.slice(begun + "<summary>".length, end > begun ? end : undefined);
}
